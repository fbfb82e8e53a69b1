package io.millrace.simulation;

import io.millrace.background.SteadyClock;
import io.millrace.codec.RecordBatch;
import io.millrace.measure.run.RunningMeasure;
import io.millrace.pipeline.FiberPipeline;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineAssembler;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.definition.Parallelism;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.rules.FollowedOnce;
import io.millrace.pipeline.rules.RuleChange;
import io.millrace.pipeline.rules.RuleChanges;
import io.millrace.pipeline.rules.RuleHistories;
import io.millrace.pipeline.rules.RuleHistory;
import io.millrace.pipeline.step.Pauses;
import io.millrace.pipeline.step.StoppablePauses;
import io.millrace.store.Store;
import io.millrace.store.Trades;
import io.millrace.store.geode.SimulatedStore;
import io.millrace.store.write.RuleVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.integration.channel.PublishSubscribeChannel;
import org.springframework.integration.support.DefaultMessageBuilderFactory;
import org.springframework.integration.support.utils.IntegrationUtils;
import org.springframework.messaging.Message;

/** A process that runs the pipeline: the real one, with all its classes, on a simulated store. */
final class SimulatedProcess implements Fiber.Host {

    /** Nothing happens any more once the feed has ended, so that its turns need no steps. */
    private static final long IDLE = 5_000_000_000L;

    /** So that those that wait need few steps. */
    private static final long CLAIM_EVERY = 750_000_000L;

    /** Each of several partitions has several turns while the process settles. */
    private static final long SETTLING_TURN = 200_000_000L;

    private static final long SETTLING = 2_500_000_000L;

    private static final long FOREVER = Long.MAX_VALUE / 4;

    private static final long FOLLOW_EVERY = 1_500_000_000L;

    final Pipeline pipeline;
    private final Node node;
    private final Simulation simulation;
    private final Options options;
    private final RuleHistory history;
    private final RuleChanges changes;
    private final SimulatedTable table;
    private boolean killed;
    private long pausedUntil;
    private boolean stopping;
    private int endedLanes;
    private boolean settling;
    /** With several partitions, until when each is turned often, whatever it waits for. */
    private long settlesUntil;

    /**
     * Where it runs.
     *
     * @param instance name that a process has again when it is restarted
     * @param process unique
     * @param clock of its host
     */
    record Node(String instance, int process, SimulatedClock clock) {}

    /**
     * What it runs.
     *
     * @param rules those that it was started with
     * @param table number of the rows in the file of its node
     * @param source of its records
     * @param sent receives what a user's endpoint has taken
     * @param endpointFails whether that endpoint throws now and then
     * @param measuring whether the pipeline has a measure
     * @param keepRaw whether records are stored before the first step
     * @param parallelism partitions and lanes of the pipeline
     * @param followsRules whether it uses versions that other processes add
     * @param restarting whether the pipeline may be restarted while the process runs
     * @param coverage receives what happens
     */
    record Options(
            Rules rules,
            int table,
            Source source,
            Set<Long> sent,
            boolean endpointFails,
            boolean measuring,
            boolean keepRaw,
            Parallelism parallelism,
            boolean followsRules,
            boolean restarting,
            Coverage coverage) {}

    SimulatedProcess(Simulation simulation, StoreMaker maker, Mutant mutant, Node node, Options options) {
        this.simulation = simulation;
        this.node = node;
        this.options = options;
        SimulatedStore simulated = maker.make((name, body) -> simulation.start(name, this, body));
        Store store =
                ProcessStore.of(simulated, mutant, term -> report(term.writer().partition(), Coverage.State.OPENING));
        table = new SimulatedTable(options.table);
        ProcessRules compiler = new ProcessRules(
                options.rules,
                split -> options.source.feed(this, split, this::applied),
                options.parallelism,
                options.keepRaw,
                options.measuring
                        ? List.of(SimulatedMeasure.step(
                                options.rules.received(),
                                options.parallelism.partitions(),
                                new SteadyClock(node.clock, simulation::now),
                                simulation))
                        : List.of(),
                table);
        PipelinePlan plan = compiler.compile(Rules.PIPELINE, ProcessRules.text(options.rules.version()));
        RuleHistories histories = new RuleHistories(
                store, compiler, new RuleHistory.Identity(node.instance, "process-" + node.process, "ann"), node.clock);
        history = histories.add(plan);
        pipeline = FiberPipeline.assemble(
                new PipelineAssembler(
                        beans(),
                        store,
                        Map.of(),
                        options.source.limits(),
                        _ -> {
                            throw new AssertionError("no connection is secured");
                        },
                        node.instance,
                        Set.of(Rules.PIPELINE)),
                plan,
                new RecordedRules(history, options.source, this, options.coverage),
                new FiberPauses());
        changes = new RuleChanges(new Pipelines(List.of(pipeline)), histories, compiler, Duration.ZERO);
        FiberPipeline.listen(pipeline);
        for (int i = 0; i < options.parallelism.lanes(); i++) {
            int lane = i;
            simulation.start("pipeline", this, () -> {
                FiberPipeline.run(pipeline, lane);
                endedLanes++;
                // The process ends when its pipelines have.
                if (stopping && endedLanes == options.parallelism.lanes()) {
                    kill();
                }
            });
        }
        if (options.followsRules) {
            simulation.start("rules", this, this::follow);
        }
        if (mutant == Mutant.TURNED_BY_TWO_LANES) {
            simulation.start("pipeline", this, this::takeOver);
        }
    }

    /** A lane that does not wait for the end of the turns of others. */
    private void takeOver() {
        while (!stopping) {
            simulation.sleep(simulation.millis(100));
            FiberPipeline.turn(pipeline, simulation.random().nextInt(options.parallelism.partitions()));
        }
    }

    /** Pauses of its thread. */
    private final class FiberPauses implements StoppablePauses {

        @Override
        public void stop() {
            stopping = true;
        }

        @Override
        public void wake() {
            // the simulation evaluates conditions in each step
        }

        @Override
        public Pauses orWhile(BooleanSupplier condition) {
            return new Pauses() {
                @Override
                public boolean pause(Duration time) {
                    return SimulatedProcess.this.pause(time, () -> stopping || condition.getAsBoolean());
                }

                @Override
                public long nanoTime() {
                    return simulation.now();
                }
            };
        }

        @Override
        public boolean pause(Duration time) {
            return SimulatedProcess.this.pause(time, () -> stopping);
        }

        @Override
        public long nanoTime() {
            return simulation.now();
        }
    }

    /** Notes the states of its partitions. */
    void report() {
        for (int partition = 0; partition < options.parallelism.partitions(); partition++) {
            report(
                    partition,
                    Coverage.State.valueOf(
                            FiberPipeline.state(pipeline, partition).name()));
            if (failed(partition)) {
                options.source.failed(this, partition);
            }
        }
    }

    private void report(int partition, Coverage.State state) {
        options.coverage.add(node.process, partition, state);
    }

    private boolean pause(Duration time, BooleanSupplier end) {
        report();
        if (options.parallelism.partitions() > 1) {
            awaitTurn(time, end);
            return end.getAsBoolean();
        }
        if (pipeline.terminated()) {
            awaitRestart(end);
        } else {
            awaitNext(time, end);
        }
        if (settling && done() && pipeline.error() == null) { // else it waits for its feed
            simulation.await(end, time.toNanos()); // so that a flush is due in its next turn
            settling = false;
            // Otherwise its next turn stores what it has, and finds out whether it has lost its term.
            if (options.measuring) {
                flush();
            }
        }
        return end.getAsBoolean();
    }

    private void awaitNext(Duration time, BooleanSupplier end) {
        if (done()) {
            simulation.await(() -> settling || end.getAsBoolean(), Math.max(IDLE, time.toNanos()));
        } else {
            boolean standby = pipeline.state() == PipelineState.STANDBY;
            simulation.await(end, standby ? Math.max(CLAIM_EVERY, time.toNanos()) : time.toNanos());
        }
    }

    /** Waits for the next turn of one of several partitions. If nothing happens in any of them, it may take longer. */
    private void awaitTurn(Duration time, BooleanSupplier end) {
        if (time.isZero()) {
            return; // the lane has other partitions to turn
        }
        PipelineState state = pipeline.state();
        boolean idle = state == PipelineState.DONE || state == PipelineState.STANDBY;
        long longest = time.toNanos();
        if (pipeline.terminated()) {
            awaitRestart(end);
        } else if (!idle) {
            simulation.await(end, longest);
        } else if (simulation.now() < settlesUntil) {
            simulation.await(end, Math.max(SETTLING_TURN, longest));
        } else {
            long since = settlesUntil;
            long least = (hasStandby() ? CLAIM_EVERY : IDLE) / options.parallelism.partitions();
            simulation.await(() -> settlesUntil != since || end.getAsBoolean(), Math.max(least, longest));
        }
    }

    private boolean hasStandby() {
        for (int partition = 0; partition < options.parallelism.partitions(); partition++) {
            if (FiberPipeline.state(pipeline, partition) == PipelineState.STANDBY) {
                return true;
            }
        }
        return false;
    }

    /** Waits after a failure. Without restarts, the process ends. */
    private void awaitRestart(BooleanSupplier end) {
        if (!options.restarting) {
            FiberPipeline.stop(pipeline);
        }
        simulation.await(end, FOREVER);
    }

    /** After a slow put, a measure stores its next state and the rows of closed windows some time later only. */
    private void flush() {
        try {
            pipeline.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes a store whose threads are those of the process. */
    interface StoreMaker {
        SimulatedStore make(BiConsumer<String, Runnable> threads);
    }

    private DefaultListableBeanFactory beans() {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        PublishSubscribeChannel channel = new PublishSubscribeChannel(true);
        channel.subscribe(this::send);
        beans.registerSingleton(Rules.CHANNEL, channel);
        // As in an application. Else Spring handles an exception for each endpoint.
        beans.registerSingleton(
                IntegrationUtils.INTEGRATION_MESSAGE_BUILDER_FACTORY_BEAN_NAME, new DefaultMessageBuilderFactory());
        return beans;
    }

    /** A user's endpoint. */
    private void send(Message<?> message) {
        RecordBatch batch = (RecordBatch) message.getPayload();
        for (int i = 0; i < batch.selected(); i++) {
            if (options.endpointFails && simulation.oneIn(40)) {
                options.coverage.add(Coverage.Event.ENDPOINT);
                throw new IllegalStateException("a user's endpoint failed");
            }
            options.sent.add(Trades.id(batch.bytes(), batch.offset(batch.selection()[i])));
        }
    }

    private void follow() {
        while (!settling) {
            long version = pipeline.rules().version();
            // Its thread may run right after the process has begun.
            simulation.await(() -> settling || pipeline.rules().version() != version, FOLLOW_EVERY);
            simulation.sleep(simulation.millis(20));
            try {
                FollowedOnce.follow(changes);
            } catch (RuntimeException e) {
                // as the real thread does
            }
        }
    }

    /** Asks for other rules while it runs, as an operator does who gets no answer if the process ends. */
    void change(int rules) {
        simulation.start("operator", this, () -> {
            try {
                var _ = changes.change(
                        Rules.PIPELINE,
                        ProcessRules.text(rules),
                        new RuleChange("ann", "-", "http", "", null, false, false));
            } catch (RuntimeException e) {
                // the operator sees it
            }
        });
    }

    /** Returns by what it processes records. */
    private Applied applied() {
        RuleVersion current = history.current();
        int rules = current == null ? options.rules.version() : ProcessRules.number(current.text());
        return new Applied(rules, table.inUse());
    }

    /** The file of the table on its node has changed. */
    void load(int number) {
        table.load(number);
    }

    /** Returns the name of the node that it runs on. */
    String instance() {
        return node.instance;
    }

    List<RunningMeasure> measures() {
        return pipeline.measures();
    }

    void restart() {
        report();
        var _ = pipeline.restart();
    }

    void kill() {
        killed = true;
        options.coverage.remove(node.process);
    }

    boolean killed() {
        return killed;
    }

    void pause(long nanos) {
        pausedUntil = simulation.now() + nanos;
        for (int partition = 0; partition < options.parallelism.partitions(); partition++) {
            report(partition, Coverage.State.PAUSED);
        }
    }

    /** Stores everything once the feed has ended. */
    void settle() {
        if (options.parallelism.partitions() > 1) {
            settlesUntil = simulation.now() + SETTLING;
        } else {
            settling = true;
        }
    }

    void stop() {
        FiberPipeline.stop(pipeline);
    }

    boolean ended() {
        return killed || pipeline.state() == PipelineState.FAILED || stopping;
    }

    /** Whether it does nothing any more, now that no more records come. */
    boolean isQuiet() {
        if (killed || pipeline.terminated()) {
            return true;
        }
        if (stopping || simulation.now() < runsFrom()) {
            return false;
        }
        return done()
                ? !settling && simulation.now() >= settlesUntil
                : PipelineStatus.of(pipeline).inFlight() == 0;
    }

    /** Whether it processes records. */
    boolean works() {
        PipelineState state = options.parallelism.partitions() == 1
                ? FiberPipeline.state(pipeline, 0) // without a list of states, as this is called in each step
                : pipeline.state();
        return state == PipelineState.RUNNING;
    }

    /** Whether it has a term, as far as it knows. */
    boolean leads() {
        return !ended() && pipeline.state() != PipelineState.STANDBY;
    }

    /** Whether it has a term of a partition, as far as it knows. */
    boolean leads(int partition) {
        return !ended() && FiberPipeline.state(pipeline, partition) != PipelineState.STANDBY;
    }

    /** Whether it has done a partition, or, with several of them, all that are not on standby. */
    boolean done() {
        return pipeline.state() == PipelineState.DONE;
    }

    /** Returns the number of the version by which it processes records of a partition. */
    long version(int partition) {
        return FiberPipeline.version(pipeline, partition);
    }

    boolean failed(int partition) {
        return FiberPipeline.state(pipeline, partition) == PipelineState.FAILED;
    }

    boolean done(int partition) {
        return FiberPipeline.state(pipeline, partition) == PipelineState.DONE;
    }

    @Nullable
    String error() {
        return pipeline.error();
    }

    /** Its partitions: their states and the versions of their rules. */
    @Override
    public String toString() {
        return IntStream.range(0, options.parallelism.partitions())
                .mapToObj(partition -> FiberPipeline.state(pipeline, partition) + " " + version(partition))
                .toList()
                .toString();
    }

    @Override
    public long runsFrom() {
        return killed ? Long.MAX_VALUE : pausedUntil;
    }
}
