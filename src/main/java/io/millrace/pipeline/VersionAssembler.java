package io.millrace.pipeline;

import io.millrace.codec.RecordBatch;
import io.millrace.measure.MeasureProcessor;
import io.millrace.pipeline.Endpoints.Endpoint;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.EntryStep;
import io.millrace.pipeline.step.RejectCollector;
import io.millrace.pipeline.step.Retry;
import io.millrace.pipeline.step.RunContext;
import io.millrace.pipeline.step.StoreStep;
import io.millrace.pipeline.step.TableRows;
import io.millrace.schema.Schema;
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
final class VersionAssembler {

    private final Endpoints endpoints;
    private final Store store;
    private final WriterName name;
    private final boolean persistent;
    private final RejectCollector rejects;
    private final Retry retry;
    private final @Nullable RegionWriter raw;
    private final PipelineTables tables;
    private final Map<String, RegionWriter> writers = new LinkedHashMap<>();
    private final Map<String, MeasureProcessor> measures = new LinkedHashMap<>();
    private final List<Endpoint> stores = new ArrayList<>();
    private boolean listening;

    /**
     * @param persistent whether one of the pipeline's regions is persistent
     * @param raw writer of records before the first step; null if they are not stored
     * @param tables the tables as the pipeline reads them
     */
    VersionAssembler(
            Endpoints endpoints,
            Store store,
            WriterName name,
            boolean persistent,
            RejectCollector rejects,
            Retry retry,
            @Nullable RegionWriter raw,
            PipelineTables tables) {
        this.endpoints = endpoints;
        this.store = store;
        this.name = name;
        this.persistent = persistent;
        this.rejects = rejects;
        this.retry = retry;
        this.raw = raw;
        this.tables = tables;
    }

    /** Returns a version that is ready to run, but not connected. */
    synchronized PipelineVersion assemble(long number, PipelinePlan plan) {
        Map<String, Set<String>> used = new LinkedHashMap<>();
        List<BatchStep> steps = steps(plan, tables.collecting(used));
        steps.forEach(step -> step.measures().forEach(this::add));
        Map<String, RegionWriter> ofPlan = new LinkedHashMap<>();
        List<Runnable> switches = new ArrayList<>();
        for (String region : plan.regions()) {
            RegionWriter writer = writer(region, plan);
            ofPlan.put(region, writer);
            switches.add(writer.prepare(plan.targetSchema()));
        }
        if (raw != null) {
            switches.add(raw.prepare(plan.schema()));
        }
        return new PipelineVersion(
                number,
                plan,
                new RecordBatch(plan.schema()),
                EntryStep.Reading.of(plan.schema()),
                List.copyOf(steps),
                connected(plan, steps),
                ofPlan,
                List.copyOf(switches),
                Map.copyOf(used));
    }

    private List<BatchStep> steps(PipelinePlan plan, TableRows rows) {
        List<BatchStep> steps = new ArrayList<>();
        List<PipelinePlan.Stage> stages = plan.stages();
        for (int i = 0; i < stages.size(); i++) {
            Schema schema = stages.get(i).schema();
            Schema output = i + 1 < stages.size() ? stages.get(i + 1).schema() : schema;
            RunContext context = new RunContext(
                    plan.name(),
                    schema,
                    output,
                    endpoints::channel,
                    rejects,
                    retry,
                    () -> store,
                    name,
                    persistent,
                    Map.copyOf(measures),
                    rows);
            stages.get(i).steps().forEach(step -> steps.add(step.create(context)));
        }
        return steps;
    }

    private void add(MeasureProcessor measure) {
        measures.put(measure.measure().plan().name(), measure);
    }

    private RegionWriter writer(String region, PipelinePlan plan) {
        RegionWriter known = writers.get(region);
        if (known != null) {
            return known;
        }
        RegionWriter writer = store.writer(region, name, plan.targetSchema(), rejects);
        writers.put(region, writer);
        String channel = plan.definition().storeChannel(region);
        Endpoint endpoint = endpoints.endpoint(channel, channel, new StoreStep(channel, writer, retry));
        endpoints.register(endpoint);
        stores.add(endpoint);
        if (listening) {
            endpoint.start();
        }
        return writer;
    }

    /** Returns the endpoints of steps in sequence. The channel between two of them is named after the first. */
    private List<Endpoint> connected(PipelinePlan plan, List<BatchStep> steps) {
        PipelineDefinition definition = plan.definition();
        List<Endpoint> connected = new ArrayList<>();
        String channel = definition.admittedChannel();
        for (int i = 0; i < steps.size(); i++) {
            BatchStep step = steps.get(i);
            if (plan.steps().get(i).targets().isEmpty()) {
                step.setOutputChannel(endpoints.channel(step.name()));
            }
            connected.add(endpoints.endpoint(channel, step.name(), step));
            channel = step.name();
        }
        return List.copyOf(connected);
    }

    /** Starts the endpoints of all writers, also of those that are created later. */
    synchronized void listen() {
        listening = true;
        stores.forEach(Endpoint::start);
    }

    /** Returns the writers of all versions so far, by region. */
    synchronized Map<String, RegionWriter> writers() {
        return new LinkedHashMap<>(writers);
    }

    /** Returns the writer of records before the first step, or null if they are not stored. */
    @Nullable
    RegionWriter raw() {
        return raw;
    }

    /** Returns the processors of the pipeline's measures, in the order of the first version. */
    synchronized List<MeasureProcessor> measures() {
        return List.copyOf(measures.values());
    }
}
