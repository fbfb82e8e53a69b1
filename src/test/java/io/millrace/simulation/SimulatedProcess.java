package io.millrace.simulation;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.feed.Feed;
import io.millrace.feed.Feed.Piece;
import io.millrace.measure.MeasureProcessor;
import io.millrace.pipeline.BatchProcessing;
import io.millrace.pipeline.FormerPipelines;
import io.millrace.pipeline.PipelineLoop;
import io.millrace.pipeline.PipelineOutput;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.RestartRequests;
import io.millrace.pipeline.RulesControl;
import io.millrace.pipeline.step.Pauses;
import io.millrace.pipeline.step.Retry;
import io.millrace.store.Trades;
import io.millrace.store.geode.SimulatedStore;
import io.millrace.store.reject.RejectBatch;
import io.millrace.store.write.Claim;
import io.millrace.store.write.Commit;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** A process that runs the pipeline: the real loop, output and writers. */
final class SimulatedProcess implements Fiber.Host {

    /** Nothing happens any more once the feed has ended, so that its turns need no steps. */
    private static final long IDLE = 5_000_000_000L;

    private static final long FOREVER = Long.MAX_VALUE / 4;

    private Rules rules;
    final PipelineLoop loop;
    private final Simulation simulation;
    private final @Nullable IntSupplier requested;
    private final Source source;
    private final Set<Long> sent;
    private final boolean endpointFails;
    private final boolean restarting;
    private final RejectBatch rejects = new RejectBatch();
    private final RegionWriter rejectWriter;
    private final Map<String, RegionWriter> writers = new LinkedHashMap<>();
    final List<MeasureProcessor> measures;
    private final Retry retry;
    private boolean killed;
    private long pausedUntil;
    private boolean stopping;
    private final RestartRequests restarts = new RestartRequests(() -> {});
    private @Nullable Term term;
    long arrived;
    long dropped;
    long rejected;
    long channelled;

    /**
     * @param rules those that it was started with
     * @param requested gives the version of the rules that is asked for while it runs; null if they never change then
     * @param source of its records
     * @param sent receives what a user's endpoint has taken
     * @param endpointFails whether that endpoint throws now and then
     * @param measuring whether the pipeline has a measure
     * @param restarting whether the pipeline may be restarted while the process runs
     */
    SimulatedProcess(
            Simulation simulation,
            StoreMaker maker,
            Mutant mutant,
            Rules rules,
            @Nullable IntSupplier requested,
            Source source,
            Set<Long> sent,
            boolean endpointFails,
            boolean measuring,
            boolean restarting) {
        this.simulation = simulation;
        this.rules = rules;
        this.requested = requested;
        this.source = source;
        this.sent = sent;
        this.endpointFails = endpointFails;
        this.restarting = restarting;
        SimulatedStore store = maker.make((name, body) -> simulation.start(name, this, body));
        Pauses pauses = pauses(() -> stopping || restarts.requested());
        retry = new Retry("trades", pauses(() -> stopping));
        WriterName name = source.writer();
        Feed feed = source.feed(this, this::version);
        rejectWriter = store.writer(Stored.REJECTS, name, RejectBatch.RECORDS, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
        writers.put(Stored.BLOCKS, mutant.blockWriter(store, Stored.BLOCKS, name));
        if (rules.entries()) {
            writers.put(Stored.ENTRIES, mutant.entryWriter(store, Stored.ENTRIES, name));
        }
        measures = measuring
                ? List.of(SimulatedMeasure.of(store, mutant.states(store.states(true)), name, simulation))
                : List.of();
        PipelineOutput output = new PipelineOutput(
                "trades",
                mutant.store(store),
                false,
                new FormerPipelines(Set.of("trades"), false),
                new PipelineOutput.Rejects(Stored.REJECTS, rejectWriter, rejects),
                null,
                measures,
                retry);
        Work work = new Work();
        loop = new PipelineLoop(new PipelineLoop.Parts(
                name,
                true,
                feed,
                false,
                work,
                work,
                output,
                rememberTerms(mutant.store(store)),
                retry,
                pauses,
                restarts,
                source.limits(),
                new ReentrantLock()));
        simulation.start("pipeline", this, () -> {
            loop.run();
            killed |= stopping; // the process ends when its pipelines have
        });
    }

    private PipelineLoop loop() {
        return loop;
    }

    /** Returns pauses that end when a condition holds. */
    private Pauses pauses(BooleanSupplier ends) {
        return new Pauses() {
            @Override
            public boolean pause(Duration time) {
                if (loop().settled()) {
                    return awaitRestart();
                }
                simulation.await(ends, done() ? Math.max(IDLE, time.toNanos()) : time.toNanos());
                return ends.getAsBoolean();
            }

            @Override
            public long nanoTime() {
                return simulation.now();
            }
        };
    }

    /** Waits after a failure. Without restarts, the process ends. */
    private boolean awaitRestart() {
        if (restarting) {
            simulation.await(() -> stopping || restarts.requested(), FOREVER);
        } else {
            loop.stop();
        }
        return true;
    }

    /** The version of its rules. */
    int version() {
        return rules.version();
    }

    /**
     * A version of the rules that a process has begun with.
     *
     * @param epoch of its term
     * @param from position in the feed
     */
    record Begun(long epoch, long from, int version) {}

    private RegionWriters rememberTerms(RegionWriters store) {
        return (RegionWriters) Proxy.newProxyInstance(
                RegionWriters.class.getClassLoader(),
                new Class<?>[] {RegionWriters.class},
                (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(store, arguments);
                        term = result instanceof Claim claim ? claim.term() : term;
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Makes a store whose threads are those of the process. */
    interface StoreMaker {
        SimulatedStore make(BiConsumer<String, Runnable> threads);
    }

    void kill() {
        killed = true;
    }

    void pause(long nanos) {
        pausedUntil = simulation.now() + nanos;
    }

    void stop() {
        stopping = true;
        loop.stop();
    }

    void restart() {
        var _ = restarts.request();
    }

    boolean ended() {
        return killed || loop.state() == PipelineState.FAILED || stopping;
    }

    /** Whether it has a term, as far as it knows. */
    boolean leads() {
        return !ended() && loop.state() != PipelineState.STANDBY;
    }

    boolean done() {
        return loop.state() == PipelineState.DONE;
    }

    long kept() {
        return writers.values().stream()
                        .mapToLong(writer -> writer.counters().kept().get())
                        .sum()
                + channelled;
    }

    @Override
    public boolean runs(long now) {
        return !killed && now >= pausedUntil;
    }

    @Override
    public long runsFrom() {
        return killed ? Long.MAX_VALUE : pausedUntil;
    }

    /** What the steps of a pipeline do: each record goes where the rules send it. */
    private final class Work implements BatchProcessing, RulesControl {

        private final RecordBatch batch = new RecordBatch(Trades.SCHEMA);
        private final RecordBatch share = new RecordBatch(Trades.SCHEMA);

        @Override
        public void start() {
            // its rules are those of the schedule
        }

        @Override
        public PipelineOutput.Version begin(@Nullable Commit last) {
            if (requested != null) {
                rules = rules.version(
                        last == null || last.clean() ? requested.getAsInt() : Math.toIntExact(last.version()));
            }
            return current();
        }

        private PipelineOutput.Version current() {
            Map<String, RegionWriter> ofRules = new LinkedHashMap<>(writers);
            if (!rules.writesEntries()) {
                ofRules.remove(Stored.ENTRIES);
            }
            if (!rules.writesBlocks()) {
                ofRules.remove(Stored.BLOCKS);
            }
            return new PipelineOutput.Version(rules.version(), "rules-" + rules.version(), Set.of(), ofRules);
        }

        @Override
        public boolean changeRequested() {
            return requested != null && requested.getAsInt() != rules.version() && simulation.oneIn(3);
        }

        @Override
        public PipelineOutput.Version change() {
            rules = rules.version(Objects.requireNonNull(requested).getAsInt());
            return current();
        }

        @Override
        public void began(Term begun, long since) {
            source.begun(new Begun(begun.epoch(), since, rules.version()));
        }

        @Override
        public void standby() {}

        @Override
        public void end(String why) {}

        @Override
        public RecordBatch batch() {
            return batch;
        }

        @Override
        public void begin() {
            arrived = 0;
            dropped = 0;
            rejected = 0;
            channelled = -writers.values().stream()
                    .mapToLong(writer -> writer.counters().kept().get())
                    .sum();
        }

        @Override
        public void process(RecordBatch batch) {
            arrived += batch.count();
            for (int ordinal = 0; ordinal < batch.count(); ordinal++) {
                switch (rules.target(id(batch, ordinal))) {
                    case REJECTED -> {
                        rejects.add(
                                batch, ordinal, new RejectReason(RejectReason.Kind.INVALID_VALUE, "as the rules say"));
                        rejected++;
                    }
                    case DROPPED -> dropped++;
                    default -> {}
                }
            }
            measures.forEach(measure -> measure.take(batch));
            boolean blocksFirst = simulation.random().nextBoolean();
            if (blocksFirst) {
                store(batch, Rules.Target.BLOCKS, Stored.BLOCKS);
            }
            send(batch);
            if (!blocksFirst) {
                store(batch, Rules.Target.BLOCKS, Stored.BLOCKS);
            }
            store(batch, Rules.Target.ENTRIES, Stored.ENTRIES);
            // As RejectCollector does.
            RecordBatch rejected = rejects.take(batch.to());
            if (rejected.count() > 0) {
                retry.run(() -> rejectWriter.append(rejected));
            }
        }

        private void store(RecordBatch batch, Rules.Target target, String region) {
            share.share(batch);
            int count = 0;
            for (int ordinal = 0; ordinal < batch.count(); ordinal++) {
                share.selection()[count] = ordinal;
                count += rules.target(id(batch, ordinal)) == target ? 1 : 0;
            }
            share.select(count);
            if (count > 0) {
                RegionWriter writer = writers.get(region);
                if (writer == null) {
                    throw new AssertionError(region);
                }
                // As StoreStep does.
                retry.run(() -> writer.append(share));
            }
        }

        private void send(RecordBatch batch) {
            for (int ordinal = 0; ordinal < batch.count(); ordinal++) {
                long id = id(batch, ordinal);
                if (rules.target(id) == Rules.Target.CHANNEL) {
                    if (endpointFails && simulation.oneIn(40)) {
                        throw new IllegalStateException("a user's endpoint failed");
                    }
                    sent.add(id);
                    channelled++;
                }
            }
        }

        private static long id(RecordBatch batch, int ordinal) {
            return Trades.id(batch.bytes(), batch.offset(ordinal));
        }

        @Override
        public void reject(List<Piece> pieces) {
            throw new AssertionError("the feed has no pieces");
        }

        @Override
        public void end() {
            measures.forEach(MeasureProcessor::end);
        }

        @Override
        public void idle(long nanos) {
            measures.forEach(measure -> measure.idle(nanos));
        }

        @Override
        public void judge(boolean wholeFeed) {
            // no thresholds
        }

        @Override
        public void hold() {
            // nobody sends
        }

        @Override
        public void refuse(String why) {
            // nobody sends
        }

        @Override
        public void superseded() {
            // counted from the next beginning on
        }
    }
}
