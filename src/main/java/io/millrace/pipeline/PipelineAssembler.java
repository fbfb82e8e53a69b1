package io.millrace.pipeline;

import io.millrace.feed.ChannelFeed;
import io.millrace.feed.Feed;
import io.millrace.feed.file.FileFeed;
import io.millrace.feed.generator.GeneratorFeed;
import io.millrace.feed.pcap.PcapFeed;
import io.millrace.feed.radius.AccountingRequestFramer;
import io.millrace.feed.radius.RadiusFeed;
import io.millrace.feed.tcp.TcpFeed;
import io.millrace.measure.MeasurePlan;
import io.millrace.measure.MeasureProcessor;
import io.millrace.pipeline.definition.FeedDefinition;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.definition.StepPlan;
import io.millrace.pipeline.definition.Target;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.EnrichStep;
import io.millrace.pipeline.step.EntryStep;
import io.millrace.pipeline.step.FilterStep;
import io.millrace.pipeline.step.MeasureStep;
import io.millrace.pipeline.step.RejectCollector;
import io.millrace.pipeline.step.Retry;
import io.millrace.pipeline.step.RouteStep;
import io.millrace.pipeline.step.SetStep;
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
import java.util.Objects;
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
        Feed feed = feed(plan);
        WriterName name = new WriterName(plan.name(), feed.replayable() ? null : instance, PARTITION, null);
        RejectBatch held = new RejectBatch();
        RejectCollector rejects = new RejectCollector(endpoints.channel(definition.rejectedChannel()), held);
        RegionWriter rejectWriter = store.writer(definition.rejectsRegion(), name, RejectBatch.RECORDS, rejects);
        Map<String, RegionWriter> writers = new LinkedHashMap<>();
        plan.regions().forEach(region -> writers.put(region, store.writer(region, name, plan.schema(), rejects)));

        Map<MeasurePlan, MeasureProcessor> measures = new LinkedHashMap<>();
        MeasureAssembler measureAssembler = new MeasureAssembler(store, store, endpoints, plan);
        plan.measures().forEach(measure -> measures.put(measure, measureAssembler.assemble(measure, name)));

        EntryStep entry = new EntryStep(definition.inputChannel(), plan.schema(), rejects, lock);
        List<BatchStep> steps = new ArrayList<>();
        for (StepPlan step : plan.steps()) {
            steps.add(step(step, plan, rejects, endpoints, measures, retry));
        }
        subscribe(plan, entry, steps, endpoints);
        writers.forEach((region, writer) -> {
            String channel = definition.storeChannel(region);
            endpoints.subscribe(channel, channel, new StoreStep(channel, writer, retry));
        });
        String rejected = definition.rejectedChannel();
        endpoints.subscribe(rejected, rejected, new StoreStep(rejected, rejectWriter, retry));

        List<MeasureProcessor> keepers = List.copyOf(measures.values());
        PipelineOutput output = new PipelineOutput(
                plan.name(),
                store,
                new PipelineOutput.Rules(plan.rules(), definition.rulesMayChange()),
                new FormerPipelines(configured, definition.readsKnownFeed()),
                new PipelineOutput.Rejects(definition.rejectsRegion(), rejectWriter, held),
                writers,
                keepers,
                retry);
        PipelineParts parts = new PipelineParts(
                plan,
                feed,
                endpoints.channel(definition.inputChannel()),
                entry,
                steps,
                rejects,
                writers,
                keepers,
                output,
                retry,
                lock);
        boolean persistent = plan.keepsOnDisk(region -> store.definition(region).persistent());
        return new Pipeline(parts, limits, endpoints, store, name, persistent, stop);
    }

    /** Connects the entry and the steps in sequence. The channel between two of them is named after the first. */
    private static void subscribe(PipelinePlan plan, EntryStep entry, List<BatchStep> steps, Endpoints endpoints) {
        String admitted = plan.definition().admittedChannel();
        entry.setOutputChannel(endpoints.channel(admitted));
        String channel = admitted;
        for (BatchStep step : steps) {
            String name = step.counters().name();
            if (!(step instanceof RouteStep)) {
                step.setOutputChannel(endpoints.channel(name));
            }
            endpoints.subscribe(channel, name, step);
            channel = name;
        }
        String input = plan.definition().inputChannel();
        endpoints.subscribe(input, input, entry);
    }

    private static BatchStep step(
            StepPlan step,
            PipelinePlan plan,
            RejectCollector rejects,
            Endpoints endpoints,
            Map<MeasurePlan, MeasureProcessor> measures,
            Retry retry) {
        return switch (step) {
            case StepPlan.FilterPlan filter -> new FilterStep(filter, rejects);
            case StepPlan.EnrichPlan enrich -> new EnrichStep(enrich, rejects);
            case StepPlan.SetPlan set -> new SetStep(set, rejects);
            case StepPlan.MeasureStepPlan measure ->
                new MeasureStep(measure, Objects.requireNonNull(measures.get(measure.measure())), retry);
            case StepPlan.RoutePlan route ->
                new RouteStep(route, plan.schema(), outputs(route, plan, endpoints), rejects);
        };
    }

    private static List<RouteStep.Output> outputs(StepPlan.RoutePlan route, PipelinePlan plan, Endpoints endpoints) {
        return route.targets().stream()
                .map(target -> {
                    boolean users = target instanceof Target.ChannelTarget;
                    String name = users ? target.name() : plan.definition().storeChannel(target.name());
                    return new RouteStep.Output(name, endpoints.channel(name), users);
                })
                .toList();
    }

    private Feed feed(PipelinePlan plan) {
        Schema schema = plan.schema();
        return switch (plan.definition().feed()) {
            case FeedDefinition.FileDefinition file -> new FileFeed(file.path(), schema, limits.batchRecords());
            case FeedDefinition.GeneratorDefinition made ->
                new GeneratorFeed(schema.base(), made.seed(), made.count(), made.rate(), limits.batchRecords());
            case FeedDefinition.RadiusDefinition radius -> new RadiusFeed(radius.options(), limits.batchRecords());
            case FeedDefinition.PcapDefinition pcap ->
                new PcapFeed(
                        pcap.path(),
                        pcap.ports(),
                        new AccountingRequestFramer(pcap.secret()),
                        pcap.speed(),
                        limits.batchRecords());
            case FeedDefinition.TcpDefinition tcp ->
                new TcpFeed(
                        tcp.options(),
                        tcp.sslBundle() == null ? null : tls.apply(tcp.sslBundle()),
                        schema,
                        limits.batchRecords());
            case FeedDefinition.ChannelDefinition ignored -> new ChannelFeed();
        };
    }
}
