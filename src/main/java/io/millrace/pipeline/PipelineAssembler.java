package io.millrace.pipeline;

import io.millrace.feed.Feed;
import io.millrace.feed.FeedContext;
import io.millrace.pipeline.Endpoints.Endpoint;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.EntryStep;
import io.millrace.pipeline.step.RejectCollector;
import io.millrace.pipeline.step.Retry;
import io.millrace.pipeline.step.StopLatch;
import io.millrace.pipeline.step.StoppablePauses;
import io.millrace.pipeline.step.StoreStep;
import io.millrace.store.Store;
import io.millrace.store.reject.RejectBatch;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.WriterName;
import io.netty.handler.ssl.SslContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.messaging.MessageHandler;

/** Creates pipelines from plans: their feeds and all that lives as long as they do. The regions must be open. */
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

    /** Returns the pipeline, ready to start, whose rules are those of the configuration. */
    public Pipeline assemble(PipelinePlan plan) {
        return assemble(plan, RuleSource.CONFIGURED);
    }

    /**
     * Returns the pipeline, ready to start.
     *
     * @param plan the configured rules
     * @param source knows the versions of the rules
     */
    public Pipeline assemble(PipelinePlan plan, RuleSource source) {
        return assemble(plan, source, new StopLatch());
    }

    /**
     * Returns the pipeline, ready to start.
     *
     * @param stop pauses of its thread
     */
    Pipeline assemble(PipelinePlan plan, RuleSource source, StoppablePauses stop) {
        PipelineDefinition definition = plan.definition();
        Endpoints endpoints = new Endpoints(beans);
        ReentrantLock lock = new ReentrantLock();
        RestartRequests restarts = new RestartRequests(stop::wake);
        Retry retry = new Retry(plan.name(), stop);
        Feed opened = definition.feed().create(new FeedContext(plan.schema(), limits.batchRecords(), tls));
        RetryingFeed feed =
                new RetryingFeed(plan.name(), opened, stop.orWhile(restarts::requested), limits.feedRetryTimeout());
        WriterName name = new WriterName(plan.name(), feed.replayable() ? null : instance, PARTITION, null);
        RejectBatch held = new RejectBatch();
        RejectCollector rejects = new RejectCollector(endpoints.channel(definition.rejectedChannel()), held);
        RegionWriter rejectWriter = store.writer(definition.rejectsRegion(), name, RejectBatch.RECORDS, rejects);
        boolean persistent = plan.keepsOnDisk(region -> store.definition(region).persistent());
        String keepRaw = definition.keepRaw();
        RegionWriter rawWriter = keepRaw == null ? null : store.writer(keepRaw, name, plan.schema(), rejects);
        PipelineTables tables =
                new PipelineTables(name, instance, feed.replayable(), persistent, definition.rulesMayChange(), store);
        VersionAssembler assembler =
                new VersionAssembler(endpoints, store, name, persistent, rejects, retry, rawWriter, tables);
        PipelineVersion first = assembler.assemble(0, plan);
        EntryStep entry = new EntryStep(definition.inputChannel(), first.reading(), rejects, lock);
        List<Endpoint> lasting = new ArrayList<>();
        lasting.add(endpoint(endpoints, definition.inputChannel(), entry));
        lasting.add(endpoint(
                endpoints,
                definition.rejectedChannel(),
                new StoreStep(definition.rejectedChannel(), rejectWriter, retry)));
        BatchStep admitting = entry;
        if (rawWriter != null) {
            StoreStep raw = new StoreStep(definition.rawChannel(), rawWriter, retry);
            entry.setOutputChannel(endpoints.channel(definition.rawChannel()));
            lasting.add(endpoint(endpoints, definition.rawChannel(), raw));
            admitting = raw;
        }
        admitting.setOutputChannel(endpoints.channel(definition.admittedChannel()));
        List<Endpoint> all =
                Stream.concat(first.endpoints().stream(), lasting.stream()).toList();
        all.forEach(endpoints::register);
        PipelineOutput output = new PipelineOutput(
                plan.name(),
                store,
                definition.rulesMayChange(),
                new FormerPipelines(configured, definition.readsKnownFeed()),
                new PipelineOutput.Rejects(definition.rejectsRegion(), rejectWriter, held),
                keepRaw == null || rawWriter == null ? null : new OutputPart.Records(keepRaw, rawWriter, retry),
                assembler.measures(),
                retry);
        PipelineParts parts = new PipelineParts(
                definition,
                feed,
                endpoints.channel(definition.inputChannel()),
                entry,
                all,
                rejects,
                assembler,
                new LiveRules(assembler, first, endpoints, entry, source, name, tables),
                output,
                retry,
                stop,
                restarts,
                lock);
        return new Pipeline(parts, limits, store, name, persistent);
    }

    private static Endpoint endpoint(Endpoints endpoints, String channel, MessageHandler handler) {
        return endpoints.endpoint(channel, channel, handler);
    }
}
