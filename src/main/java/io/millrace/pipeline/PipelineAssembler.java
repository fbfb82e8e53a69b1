package io.millrace.pipeline;

import io.millrace.feed.Feed;
import io.millrace.feed.FeedContext;
import io.millrace.measure.MeasureProcessor;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.EntryStep;
import io.millrace.pipeline.step.RejectCollector;
import io.millrace.pipeline.step.Retry;
import io.millrace.pipeline.step.RunContext;
import io.millrace.pipeline.step.StopLatch;
import io.millrace.pipeline.step.StoreStep;
import io.millrace.schema.Schema;
import io.millrace.store.Store;
import io.millrace.store.reject.RejectBatch;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.WriterName;
import io.netty.handler.ssl.SslContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Creates pipelines from plans: their channels, endpoints, feeds and writers. The regions must be open. */
public final class PipelineAssembler {

    /** The only partition of a feed that is not partitioned. */
    private static final int PARTITION = 0;

    private final ConfigurableListableBeanFactory beans;
    private final Store store;
    private final PipelineLimits limits;
    private final Function<String, SslContext> tls;
    private final String instance;
    private final Set<String> configured;

    /**
     * @param tls provides the TLS context of an SSL bundle by the bundle's name
     * @param instance name of this process among those that run the same pipelines
     * @param configured names of all configured pipelines
     */
    public PipelineAssembler(
            ConfigurableListableBeanFactory beans,
            Store store,
            PipelineLimits limits,
            Function<String, SslContext> tls,
            String instance,
            Set<String> configured) {
        this.tls = tls;
        this.instance = instance;
        this.configured = Set.copyOf(configured);
        this.beans = beans;
        this.store = store;
        this.limits = limits;
    }

    /** Returns the pipeline, ready to start. */
    public Pipeline assemble(PipelinePlan plan) {
        PipelineDefinition definition = plan.definition();
        Endpoints endpoints = new Endpoints(beans);
        ReentrantLock lock = new ReentrantLock();
        StopLatch stop = new StopLatch();
        Retry retry = new Retry(plan.name(), stop);
        Feed feed = definition.feed().create(new FeedContext(plan.schema(), limits.batchRecords(), tls));
        WriterName name = new WriterName(plan.name(), feed.replayable() ? null : instance, PARTITION, null);
        RejectBatch held = new RejectBatch();
        RejectCollector rejects = new RejectCollector(endpoints.channel(definition.rejectedChannel()), held);
        RegionWriter rejectWriter = store.writer(definition.rejectsRegion(), name, RejectBatch.RECORDS, rejects);
        Map<String, RegionWriter> writers = new LinkedHashMap<>();
        plan.regions().forEach(region -> writers.put(region, store.writer(region, name, plan.targetSchema(), rejects)));

        boolean persistent = plan.keepsOnDisk(region -> store.definition(region).persistent());
        List<BatchStep> steps = new ArrayList<>();
        for (int i = 0; i < plan.stages().size(); i++) {
            Schema schema = plan.stages().get(i).schema();
            Schema output =
                    i + 1 < plan.stages().size() ? plan.stages().get(i + 1).schema() : schema;
            RunContext context = new RunContext(
                    plan.name(), schema, output, endpoints::channel, rejects, retry, () -> store, name, persistent);
            plan.stages().get(i).steps().forEach(step -> steps.add(step.create(context)));
        }
        List<MeasureProcessor> measures =
                steps.stream().flatMap(step -> step.measures().stream()).toList();
        EntryStep entry = new EntryStep(definition.inputChannel(), plan.schema(), rejects, lock);
        subscribe(plan, entry, steps, endpoints);
        writers.forEach((region, writer) -> {
            String channel = definition.storeChannel(region);
            endpoints.subscribe(channel, channel, new StoreStep(channel, writer, retry));
        });
        String rejected = definition.rejectedChannel();
        endpoints.subscribe(rejected, rejected, new StoreStep(rejected, rejectWriter, retry));

        PipelineOutput output = new PipelineOutput(
                plan.name(),
                store,
                new PipelineOutput.Rules(plan.rules(), definition.rulesMayChange()),
                new FormerPipelines(configured, definition.readsKnownFeed()),
                new PipelineOutput.Rejects(definition.rejectsRegion(), rejectWriter, held),
                writers,
                measures,
                retry);
        PipelineParts parts = new PipelineParts(
                plan,
                feed,
                endpoints.channel(definition.inputChannel()),
                entry,
                steps,
                rejects,
                writers,
                measures,
                output,
                retry,
                lock);
        return new Pipeline(parts, limits, endpoints, store, name, persistent, stop);
    }

    /** Connects the entry and the steps in sequence. The channel between two of them is named after the first. */
    private static void subscribe(PipelinePlan plan, EntryStep entry, List<BatchStep> steps, Endpoints endpoints) {
        String admitted = plan.definition().admittedChannel();
        entry.setOutputChannel(endpoints.channel(admitted));
        String channel = admitted;
        for (int i = 0; i < steps.size(); i++) {
            BatchStep step = steps.get(i);
            String name = step.name();
            if (plan.steps().get(i).targets().isEmpty()) {
                step.setOutputChannel(endpoints.channel(name));
            }
            endpoints.subscribe(channel, name, step);
            channel = name;
        }
        String input = plan.definition().inputChannel();
        endpoints.subscribe(input, input, entry);
    }
}
