package io.millrace.pipeline.shadow;

import io.millrace.background.DurationText;
import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.pipeline.ObservedPartition;
import io.millrace.pipeline.chain.PartitionChannels;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.Failures;
import io.millrace.pipeline.step.Target;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.ChannelInterceptor;
import org.springframework.messaging.support.InterceptableChannel;

/**
 * Runs a candidate on each batch that a partition processes, and compares the results. The candidate runs on the
 * partition's lane, on the same records, before the live rules; then the records that reach the live targets or are
 * rejected are observed. Batches that the partition processes by another version of the live rules are skipped, as are
 * those for which a slow candidate has no time left, or whose elements take too much memory.
 */
final class PartitionShadow implements ChannelInterceptor {

    /** Maximum number of bytes of the records that {@code unnest} makes of a batch; others are skipped. */
    private static final long MAX_MADE_BYTES = 32 << 20;

    private final Scope scope;
    private final ObservedPartition partition;
    private final Ending ending;
    private final InterceptableChannel admitted;
    private final Map<InterceptableChannel, Integer> targetChannels = new LinkedHashMap<>();
    private final Candidate candidate;
    private final Decisions live;
    private final MadeRecords made;
    private final Function<String, InterceptableChannel> channels;
    private final Comparison comparison;
    private final Counter nanos = new Counter();
    private final Counter stepNanos = new Counter();
    private final Counter liveNanos = new Counter();
    private final Counter skipped = new Counter();
    private final LongSupplier nanoTime;
    private final ShadowBudget budget;
    private final RejectSink rejects = this::reject;
    private @Nullable RecordBatch current;
    /** Times of the steps until the current batch. */
    private long stepNanosBefore;

    private long liveNanosBefore;
    /** Another lane, or a user, can end the shadow in the middle of a batch. */
    private volatile boolean stopped;

    /**
     * What is compared.
     *
     * @param partitions number of partitions of the pipeline
     * @param version of the live rules
     */
    record Scope(ObservedPartition partition, int partitions, long version) {}

    /** Ends the shadow of all partitions. */
    interface Ending {

        /**
         * Ends it.
         *
         * @param e the failure, null if there is none
         */
        void end(String why, @Nullable Throwable e);
    }

    /**
     * Starts to compare.
     *
     * @param rules live rules
     * @param other the candidate
     * @param comparison of all partitions
     * @param budget of all partitions
     * @throws ShadowException if a channel of the application can't be observed
     */
    PartitionShadow(
            Scope scope,
            PipelinePlan rules,
            PipelinePlan other,
            Surroundings surroundings,
            Comparison comparison,
            ShadowBudget budget,
            Ending ending) {
        this.scope = scope;
        this.partition = scope.partition;
        this.ending = ending;
        this.nanoTime = surroundings.nanoTime();
        this.budget = budget;
        this.comparison = comparison;
        this.channels = name -> interceptable(surroundings, name);
        Destinations destinations = Destinations.of(rules, other);
        List<Target> targets = destinations.targets();
        this.live = new Decisions(destinations);
        this.candidate = new Candidate(
                other,
                destinations,
                surroundings.regions(),
                MAX_MADE_BYTES,
                Writes.overwrite(rules) || Writes.overwrite(other),
                true,
                Map.of());
        this.made = new MadeRecords(
                rules, live, destinations, Kept.of(targets, rules, surroundings.regions()), MAX_MADE_BYTES);
        this.admitted = channels.apply(rules.definition().admittedChannel());
        rules.steps()
                .getLast()
                .targets()
                .forEach(target ->
                        targetChannels.put(channels.apply(target.channel(rules.name())), targets.indexOf(target)));
        // First, because it fails if the channel can't be observed.
        made.observe(channels, this::isOwn);
        targetChannels.keySet().forEach(channel -> channel.addInterceptor(this));
        partition.observeRejects(rejects);
        admitted.addInterceptor(this);
    }

    private static InterceptableChannel interceptable(Surroundings surroundings, String name) {
        if (surroundings.channels().apply(name) instanceof InterceptableChannel channel) {
            return channel;
        }
        throw new ShadowException("Channel '" + name + "' can't be observed. Use an interceptable channel.");
    }

    /** Returns whether the partition processes a message of a channel, which all partitions share. */
    private boolean isOwn(Message<?> message) {
        return PartitionChannels.partition(message, scope.partitions) == partition.number();
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // each pipeline has bytes of its own
    public Message<?> preSend(Message<?> message, MessageChannel channel) {
        if (isOwn(message) && message.getPayload() instanceof RecordBatch batch) {
            RecordBatch now = current;
            if (channel == admitted) {
                begin(batch);
            } else if (now != null) {
                Integer target = targetChannels.get(channel);
                int index = target == null ? Decisions.DROPPED : target;
                if (!made.reach(batch, index) && now.bytes() == batch.bytes()) {
                    live.reach(batch, index);
                }
            }
        }
        return message;
    }

    private void begin(RecordBatch batch) {
        long start = nanoTime.getAsLong();
        if (partition.version() != scope.version || !budget.allows(start)) {
            skipped.add(batch.selected());
            return;
        }
        stepNanosBefore = candidate.stepNanos();
        liveNanosBefore = partition.stepNanos();
        try {
            candidate.run(batch);
            live.begin(batch.count());
            made.begin(batch.count());
            current = batch;
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            fail(e);
        }
        long taken = nanoTime.getAsLong() - start;
        spend(taken);
        if (current != null && ShadowBudget.exceededBy(taken)) {
            end(
                    "The rules are too slow: a batch of " + batch.selected() + " records took "
                            + DurationText.of(Duration.ofNanos(taken).truncatedTo(ChronoUnit.MILLIS)) + ".",
                    null);
        }
    }

    private void spend(long taken) {
        nanos.add(taken);
        budget.spend(taken);
    }

    private void fail(Throwable e) {
        end("The rules failed: " + Failures.describe(e), e);
    }

    private void end(String why, @Nullable Throwable e) {
        current = null;
        ending.end(why, e);
    }

    @SuppressWarnings("ReferenceEquality") // each pipeline has bytes of its own
    private void reject(RecordBatch batch, int ordinal, RejectReason reason) {
        RecordBatch now = current;
        if (now != null && !made.reject(batch, ordinal, reason) && now.bytes() == batch.bytes()) {
            live.reject(ordinal, reason);
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // compares with the channel itself
    public void afterSendCompletion(Message<?> message, MessageChannel channel, boolean sent, @Nullable Exception e) {
        RecordBatch batch = current;
        if (channel != admitted || batch == null || !isOwn(message)) {
            return;
        }
        current = null;
        made.end();
        // A batch that failed is processed again. Of one that was not observed to its end, results are missing.
        if (e == null && !stopped) {
            compare(batch);
        }
        // The next batch may be far away, and each partition has its own copies.
        made.release();
        candidate.release();
    }

    private void compare(RecordBatch batch) {
        Results after = candidate.results();
        if (made.full() || after.made().full()) {
            skipped.add(candidate.admittedCount());
        } else {
            long start = nanoTime.getAsLong();
            stepNanos.add(candidate.stepNanos() - stepNanosBefore);
            liveNanos.add(partition.stepNanos() - liveNanosBefore);
            try {
                Results before = new Results(batch, live, made);
                comparison.compare(batch, before, after, candidate.admitted(), candidate.admittedCount());
            } catch (RuntimeException | LinkageError failed) {
                fail(failed);
            }
            spend(nanoTime.getAsLong() - start);
        }
    }

    /** Returns the number of records that were not compared. */
    Counter skipped() {
        return skipped;
    }

    /** Returns the time of the candidate's steps. */
    Counter stepNanos() {
        return stepNanos;
    }

    /** Returns the time of the live steps for the records that were compared. */
    Counter liveNanos() {
        return liveNanos;
    }

    /** Returns the time that the shadow has taken from the partition's lanes. */
    Counter nanos() {
        return nanos;
    }

    /** Stops to observe the partition. */
    void stop() {
        stopped = true;
        admitted.removeInterceptor(this);
        targetChannels.keySet().forEach(channel -> channel.removeInterceptor(this));
        made.stopObserving(channels);
        partition.stopObservingRejects(rejects);
    }
}
