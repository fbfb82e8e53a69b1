package io.millrace.pipeline.version;

import io.millrace.codec.RecordBatch;
import io.millrace.measure.run.MeasureProcessor;
import io.millrace.pipeline.chain.PartitionChannels;
import io.millrace.pipeline.chain.StepChain;
import io.millrace.pipeline.chain.StepPlace;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.EntryStep;
import io.millrace.pipeline.step.RejectCollector;
import io.millrace.pipeline.step.Retry;
import io.millrace.pipeline.step.RunContext;
import io.millrace.pipeline.step.StoreStep;
import io.millrace.pipeline.step.TableRows;
import io.millrace.pipeline.step.Target;
import io.millrace.pipeline.step.TargetWriters;
import io.millrace.store.Store;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.WriterName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates the {@linkplain PipelineVersion versions} of a pipeline. Writers and measures are created with the first
 * version that needs them, and later ones continue with them. Thread-safe.
 */
public final class VersionAssembler {

    private final PartitionChannels channels;
    private final Store store;
    private final TargetWriters targets;
    private final WriterName name;
    private final boolean persistent;
    private final RejectCollector rejects;
    private final Retry retry;
    private final @Nullable RegionWriter raw;
    private final PipelineTables tables;
    private final Map<String, RegionWriter> writers = new LinkedHashMap<>();
    private final Map<String, MeasureProcessor> measures = new LinkedHashMap<>();
    /** The same, for readers that do not wait until a version is assembled. */
    private volatile List<MeasureProcessor> allMeasures = List.of();

    /**
     * @param targets creates the writers
     * @param persistent whether the pipeline keeps its commits on disk
     * @param raw writer of records before the first step; null if they are not stored
     * @param tables the tables as the pipeline reads them
     */
    public VersionAssembler(
            PartitionChannels channels,
            Store store,
            TargetWriters targets,
            WriterName name,
            boolean persistent,
            RejectCollector rejects,
            Retry retry,
            @Nullable RegionWriter raw,
            PipelineTables tables) {
        this.channels = channels;
        this.store = store;
        this.targets = targets;
        this.name = name;
        this.persistent = persistent;
        this.rejects = rejects;
        this.retry = retry;
        this.raw = raw;
        this.tables = tables;
    }

    /** Returns a version that is ready to run, but not connected. */
    public synchronized PipelineVersion assemble(long number, PipelinePlan plan) {
        Map<String, Set<String>> used = new LinkedHashMap<>();
        StepChain chain = chain(plan, tables.collecting(used));
        chain.steps().forEach(step -> step.measures().forEach(this::add));
        Map<String, RegionWriter> ofPlan = new LinkedHashMap<>();
        List<Runnable> switches = new ArrayList<>();
        plan.targets().forEach(target -> {
            RegionWriter writer = writer(target, plan);
            ofPlan.put(target.text(), writer);
            switches.add(writer.prepare(plan.targetSchema()));
        });
        if (raw != null) {
            switches.add(raw.prepare(plan.schema()));
        }
        return new PipelineVersion(
                number,
                plan,
                new RecordBatch(plan.schema()),
                EntryStep.Reading.of(plan.schema()),
                chain,
                ofPlan,
                List.copyOf(switches),
                Map.copyOf(used));
    }

    private StepChain chain(PipelinePlan plan, TableRows rows) {
        StepChain chain = StepChain.of(
                plan,
                (schema, output) -> new RunContext(
                        plan.name(),
                        schema,
                        output,
                        channels::channel,
                        target -> channels.output(target.channel(plan.name())),
                        rejects,
                        retry,
                        () -> store,
                        targets,
                        name,
                        plan.definition().parallelism().partitions(),
                        persistent,
                        Map.copyOf(measures),
                        rows),
                _ -> true);
        chain.connect(channels::output);
        return chain;
    }

    private void add(MeasureProcessor measure) {
        measures.put(measure.measure().plan().name(), measure);
        allMeasures = List.copyOf(measures.values());
    }

    private RegionWriter writer(Target target, PipelinePlan plan) {
        RegionWriter known = writers.get(target.text());
        if (known != null) {
            return known;
        }
        RegionWriter writer = targets.writer(target, name, plan.targetSchema(), rejects);
        writers.put(target.text(), writer);
        StepPlace place = StepPlace.last(target.channel(plan.name()));
        channels.add(place, new StoreStep(place.name(), writer, retry));
        return writer;
    }

    /** Returns the writers of all versions so far, by the targets that they write to. */
    public synchronized Map<String, RegionWriter> writers() {
        return new LinkedHashMap<>(writers);
    }

    /** Returns the writer of records before the first step, or null if they are not stored. */
    public @Nullable RegionWriter raw() {
        return raw;
    }

    /** Returns the processors of the pipeline's measures, in the order of the first version. */
    public List<MeasureProcessor> measures() {
        return allMeasures;
    }
}
