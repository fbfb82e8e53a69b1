package io.millrace.pipeline.version;

import io.millrace.codec.RecordBatch;
import io.millrace.measure.run.MeasureProcessor;
import io.millrace.pipeline.chain.PartitionChannels;
import io.millrace.pipeline.commit.OutputVersion;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.run.RulesControl;
import io.millrace.pipeline.step.EntryStep;
import io.millrace.pipeline.step.StepCounters;
import io.millrace.store.write.Commit;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.StringUtils;

/**
 * The versions of the rules of a partition: the current one, and one that waits to replace it. The partition's lane
 * replaces the current one under the partition's lock; any thread may read it and request another one.
 */
public final class PartitionRules {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionRules.class);

    private final VersionAssembler assembler;
    private final PartitionChannels channels;
    private final EntryStep entry;
    private final RuleSource source;
    private final WriterName writer;
    private final PipelineTables tables;
    private final Runnable wake;
    private final Control control = new Control();
    private final AtomicReference<@Nullable Request> requested = new AtomicReference<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<String>> endListeners = new CopyOnWriteArrayList<>();
    private volatile Running running;
    private volatile CommittedVersion committed = new CommittedVersion(0, 0);
    private volatile @Nullable String ended;
    private volatile boolean active;

    /**
     * The current version.
     *
     * @param ended counts of steps that only earlier versions had
     */
    public record Running(PipelineVersion version, EndedSteps ended) {

        /** As {@link EndedSteps#made}. */
        public long made() {
            return ended.made() + EndedSteps.made(version.steps());
        }

        /** Returns the number of records that steps have made of others. */
        public long elements() {
            return Stream.<StepCounters>concat(ended.steps().values().stream(), version.steps().stream())
                    .filter(step -> step.made() != null)
                    .mapToLong(step -> step.out().get())
                    .sum();
        }
    }

    /** @param begun completes with the position from which the version processes records */
    private record Request(PipelineVersion version, CompletableFuture<Long> begun) {

        void end(String why) {
            begun.completeExceptionally(
                    new IllegalStateException("Version " + version.number() + " of the rules was not applied: " + why));
        }
    }

    /**
     * @param first the first version, whose steps have been added to the channels
     * @param wake ends the wait of the feed, so that a request is noticed
     */
    public PartitionRules(
            VersionAssembler assembler,
            PipelineVersion first,
            PartitionChannels channels,
            EntryStep entry,
            RuleSource source,
            WriterName writer,
            PipelineTables tables,
            Runnable wake) {
        this.assembler = assembler;
        this.channels = channels;
        this.entry = entry;
        this.source = source;
        this.writer = writer;
        this.tables = tables;
        this.wake = wake;
        running = new Running(first, EndedSteps.NONE);
    }

    /** Returns the current version. */
    public Running running() {
        return running;
    }

    /** Returns what the pipeline's thread uses. */
    public RulesControl control() {
        return control;
    }

    /** Returns the version by which the pipeline processes records, and since when. */
    CommittedVersion committed() {
        return committed;
    }

    /** Returns whether this process processes records of the partition, as far as it knows. */
    boolean active() {
        return active;
    }

    /** Returns whether the current version is this one or a later one, or waits to be replaced by such a version. */
    boolean isRequested(long number) {
        Request request = requested.get();
        return running.version().number() >= number
                || (request != null && request.version().number() >= number);
    }

    /** Returns the version of the rows of each table that the current rules use. */
    Map<String, String> tables() {
        return tables.versions(running.version().tables().keySet());
    }

    /** Returns the counters of a step that the current version has, or that an earlier one had; null if none had. */
    @Nullable
    StepCounters step(String name) {
        Running now = running;
        for (StepCounters step : now.version().steps()) {
            if (step.name().equals(name)) {
                return step;
            }
        }
        return now.ended().steps().get(name);
    }

    /** Returns the number of records that were sent to a channel of the application. */
    long sent(String channel) {
        Running now = running;
        long sent = now.ended().sent().getOrDefault(channel, 0L);
        for (StepCounters step : now.version().steps()) {
            var counter = step.sent().get(channel);
            sent += counter == null ? 0 : counter.get();
        }
        return sent;
    }

    /**
     * Adds a listener that is called on the partition's lane each time a version begins to process records.
     *
     * @return removes the listener
     */
    Runnable listen(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /**
     * Adds a listener that is called on the partition's lane, with the reason, when this process no longer processes
     * records of the pipeline: another process runs it, or it has failed or was stopped. It may be called again.
     *
     * @return removes the listener
     */
    Runnable listenToEnd(Consumer<String> listener) {
        endListeners.add(listener);
        return () -> endListeners.remove(listener);
    }

    /**
     * Requests that other rules replace the current ones between two batches, once nothing behind these is stored. A
     * request for another version that waits already is cancelled.
     *
     * @param number number of the version
     * @return completes with the position from which it processes records, or exceptionally if the pipeline ends or
     *     another request comes first
     */
    CompletableFuture<Long> change(long number, PipelinePlan plan) {
        Request waiting = requested.get();
        if (waiting != null && waiting.version().number() == number) {
            return waiting.begun();
        }
        Request request = new Request(assembler.assemble(number, plan), new CompletableFuture<>());
        Request former = requested.getAndSet(request);
        if (former != null) {
            former.end("version " + number + " replaces it.");
        }
        String end = ended;
        if (end != null) {
            end(end);
        }
        wake.run();
        return request.begun();
    }

    /** Refuses requests until a term begins. */
    void end(String why) {
        ended = why;
        active = false;
        control.endUncommitted();
        Request request = requested.getAndSet(null);
        if (request != null) {
            request.end(why);
        }
        endListeners.forEach(listener -> call(() -> listener.accept(StringUtils.capitalize(why))));
    }

    private void install(PipelineVersion next) {
        Running former = running;
        next.switches().forEach(Runnable::run);
        for (MeasureProcessor measure : assembler.measures()) {
            next.plan().measures().stream()
                    .filter(plan -> plan.name().equals(measure.measure().plan().name()))
                    .forEach(measure::use);
        }
        entry.read(next.reading());
        former.version().chain().links().forEach(link -> channels.remove(link.place()));
        next.chain().links().forEach(link -> channels.add(link.place(), link.step()));
        running = new Running(next, former.ended().replace(former.version().steps(), next.steps()));
    }

    private void call(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException e) {
            LOG.warn("{}: a listener of the rules failed: {}", writer.pipeline(), e.getMessage(), e);
        }
    }

    /** What the pipeline's thread does with the versions. */
    private final class Control implements RulesControl {

        /** The request whose version is current but not committed. */
        private final AtomicReference<@Nullable Request> uncommitted = new AtomicReference<>();

        /** Whether a version of the rules begins to process records, and not only other rows of tables. */
        private boolean rulesBegin;

        @Override
        public void start() {
            source.start();
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // an equal plan has steps of its own
        public OutputVersion begin(@Nullable Commit last) {
            ended = null;
            endUncommitted();
            PipelineVersion current = running.version();
            RuleSource.Rules selected = source.select(new RuleSource.Rules(current.number(), current.plan()), last);
            if (selected.plan() == current.plan()) {
                running = new Running(current.numbered(selected.number()), running.ended());
            } else {
                install(assembler.assemble(selected.number(), selected.plan()));
            }
            PipelineVersion version = running.version();
            rulesBegin = true;
            return version.output(source.earlierRules(version.plan()), tables.begin(last, version.tables()));
        }

        private void endUncommitted() {
            Request request = uncommitted.getAndSet(null);
            if (request != null) {
                request.end("the pipeline went back to its last commit.");
            }
        }

        @Override
        public boolean changeRequested() {
            Request request = requested.get();
            if (request != null
                    && request.version().number() <= running.version().number()) {
                // Another process has applied it before this one took over.
                if (requested.compareAndSet(request, null)) {
                    request.begun().complete(committed.since());
                }
                request = null;
            }
            return request != null || tables.haveChanged(running.version().tables());
        }

        @Override
        public OutputVersion change() {
            Request request = requested.getAndSet(null);
            uncommitted.set(request);
            if (request != null) {
                install(request.version());
                rulesBegin = true;
            }
            PipelineVersion version = running.version();
            return version.output(Set.of(), tables.change(version.tables()));
        }

        @Override
        public void began(Term term, long position) {
            PipelineVersion current = running.version();
            tables.began(term, current.tables());
            if (!rulesBegin) {
                return;
            }
            source.began(term, current.number(), position);
            rulesBegin = false;
            committed = new CommittedVersion(current.number(), position);
            active = true;
            // Before the caller of the change continues.
            listeners.forEach(PartitionRules.this::call);
            Request request = uncommitted.getAndSet(null);
            if (request != null) {
                LOG.info(
                        "Rules changed: pipeline={} version={} since={} rules={}",
                        writer.pipeline(),
                        current.number(),
                        position,
                        current.plan().rules());
                request.begun().complete(position);
            }
        }

        @Override
        public void standby() {
            active = false;
            endListeners.forEach(listener -> call(() -> listener.accept("Another process runs the pipeline now.")));
        }

        @Override
        public void end(String why) {
            PartitionRules.this.end(why);
        }

        @Override
        public RecordBatch batch() {
            return running.version().batch();
        }
    }
}
