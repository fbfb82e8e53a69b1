package io.millrace.pipeline.shadow;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.trial.DetachedSteps;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.ChannelInterceptor;
import org.springframework.messaging.support.InterceptableChannel;

/**
 * What rules did with the records that a step {@code unnest} made of those of a batch, in order. The step passes them
 * on in several batches, one after the other, which have ended when results are compared, so each record is copied. Not
 * thread-safe.
 */
final class MadeRecords implements ChannelInterceptor {

    /** Index of a record of the batch itself. */
    static final int NONE = -1;

    /** Approximate number of bytes that a copy takes in addition to its content. */
    private static final int OBJECT_BYTES = 40;

    private final Decisions decisions;
    private final Destinations destinations;
    private final @Nullable String channel;
    private final List<Kept> kept;
    private final Kept notKept;
    private final long maxBytes;
    private Predicate<Message<?>> own = _ -> true;
    /** Ordinal of the record that each was made of. */
    private int[] origins = new int[0];

    private int[] decided = new int[0];
    private @Nullable RejectReason[] reasons = new RejectReason[0];
    private byte[][] copies = new byte[0][];
    /** Index of the first record made of each of the batch, if any was. */
    private int[] starts = new int[0];

    private int count;
    private @Nullable RecordBatch current;
    /** Index of the first record of the current batch. */
    private int first;

    private long bytes;
    private boolean open;
    private boolean full;

    /**
     * @param decisions what the rules did with the records of the batch
     * @param destinations of the records
     * @param kept what each target receives, by the index of the target
     * @param maxBytes number of bytes of copies above which no more records are added
     */
    MadeRecords(PipelinePlan plan, Decisions decisions, Destinations destinations, List<Kept> kept, long maxBytes) {
        this.decisions = decisions;
        this.destinations = destinations;
        // Its records have no lists, so there is one such step at most, the last one of the first stage.
        this.channel = plan.stages().size() == 1
                ? null
                : plan.stages().getFirst().steps().getLast().explanation().name();
        this.kept = kept;
        this.notKept = Kept.base(plan.targetSchema());
        this.maxBytes = maxBytes;
    }

    /** Returns whether a step makes records. */
    boolean any() {
        return channel != null;
    }

    /**
     * Observes the batches of records that the step makes.
     *
     * @param channels returns the channel of a name
     * @param messages which messages to observe
     */
    void observe(Function<String, ? extends InterceptableChannel> channels, Predicate<Message<?>> messages) {
        own = messages;
        if (channel != null) {
            channels.apply(channel).addInterceptor(this);
        }
    }

    /** Observes the batches of records that the step makes in other steps than those of a running pipeline. */
    void observe(DetachedSteps steps) {
        if (channel != null) {
            steps.observe(channel, next -> batch -> {
                begin(batch);
                try {
                    next.accept(batch);
                } finally {
                    end(batch);
                }
            });
        }
    }

    /** Ends to observe them. */
    void stopObserving(Function<String, ? extends InterceptableChannel> channels) {
        if (channel != null) {
            channels.apply(channel).removeInterceptor(this);
        }
    }

    /** Begins another batch of the feed. */
    void begin(int records) {
        if (channel == null) {
            return;
        }
        if (starts.length < records) {
            starts = new int[records];
        }
        release();
        full = false;
        open = true;
    }

    /** Forgets the records of the last batch, whose copies take memory. */
    void release() {
        Arrays.fill(copies, 0, count, null);
        count = 0;
        bytes = 0;
    }

    /** Ends the batch: what steps make from now on is not added. */
    void end() {
        open = false;
    }

    /** Returns whether records are missing, because those of the batch take too much memory. */
    boolean full() {
        return full;
    }

    @Override
    public Message<?> preSend(Message<?> message, MessageChannel sent) {
        if (own.test(message) && message.getPayload() instanceof RecordBatch batch) {
            begin(batch);
        }
        return message;
    }

    private void begin(RecordBatch batch) {
        // An application can send batches of its own to this channel. Their records are not those of the step.
        if (open && batch.isMade()) {
            current = batch;
            if (!full) {
                add(batch);
            }
        }
    }

    private void add(RecordBatch batch) {
        first = count;
        reserve(count + batch.count());
        for (int i = 0; i < batch.count(); i++) {
            int origin = batch.origin(i);
            if (decisions.of(origin) != Decisions.UNNESTED) {
                decisions.unnest(origin);
                starts[origin] = count;
            }
            origins[count] = origin;
            decided[count] = Decisions.DROPPED;
            count++;
        }
    }

    private void reserve(int records) {
        if (origins.length < records) {
            int length = Math.max(records, 2 * origins.length);
            origins = Arrays.copyOf(origins, length);
            decided = Arrays.copyOf(decided, length);
            reasons = Arrays.copyOf(reasons, length);
            copies = Arrays.copyOf(copies, length);
        }
    }

    @Override
    public void afterSendCompletion(Message<?> message, MessageChannel sent, boolean was, @Nullable Exception e) {
        if (message.getPayload() instanceof RecordBatch batch) {
            end(batch);
        }
    }

    @SuppressWarnings("ReferenceEquality") // compares with the batch itself
    private void end(RecordBatch batch) {
        if (batch != current) {
            return;
        }
        current = null;
        if (full) {
            return;
        }
        for (int i = first; i < count; i++) {
            Kept form = decided[i] < 0 ? notKept : destinations.most(kept, decided[i]);
            copies[i] = form.form().copy(batch, i - first);
            bytes += copies[i].length + OBJECT_BYTES;
        }
        full = bytes > maxBytes;
    }

    /** Adds that the selected records of a batch have reached a target. Returns false if the step did not make them. */
    boolean reach(RecordBatch batch, int target) {
        if (!isCurrent(batch)) {
            return false;
        }
        int[] selection = batch.selection();
        for (int i = 0; i < batch.selected() && !full; i++) {
            int at = first + selection[i];
            decided[at] = destinations.with(decided[at], target);
        }
        return true;
    }

    /** Adds that a record was rejected. Returns false if the step did not make it. */
    boolean reject(RecordBatch batch, int ordinal, RejectReason reason) {
        if (!isCurrent(batch)) {
            return false;
        }
        if (!full) {
            decided[first + ordinal] = Decisions.REJECTED;
            reasons[first + ordinal] = reason;
        }
        return true;
    }

    /** Returns whether a batch is the one that was sent last, or shares its records, as those of a route do. */
    @SuppressWarnings("ReferenceEquality") // the step has bytes of its own
    private boolean isCurrent(RecordBatch batch) {
        // Other pipelines that send to the same target call this too, while the own one ends a batch.
        RecordBatch now = current;
        return now != null && now.bytes() == batch.bytes();
    }

    /** Returns the index of the first record that was made of one of the batch; {@link #NONE} if none was. */
    int first(int ordinal) {
        return decisions.of(ordinal) == Decisions.UNNESTED ? starts[ordinal] : NONE;
    }

    /** Returns whether an index is that of a record that was made of one of the batch. */
    boolean isOf(int index, int ordinal) {
        return index != NONE && index < count && origins[index] == ordinal;
    }

    /** Returns what the rules did with a record: the index of its target, dropped or rejected. */
    int decision(int index) {
        return decided[index];
    }

    /** Returns a copy of a record. */
    byte[] copy(int index) {
        return copies[index];
    }

    /** Returns the fields of the copy of a record that was dropped or rejected. */
    Kept notKept() {
        return notKept;
    }

    /** Returns why a record was rejected. */
    RejectReason reason(int index) {
        return Objects.requireNonNull(reasons[index]);
    }
}
