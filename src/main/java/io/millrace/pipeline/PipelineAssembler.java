package io.millrace.pipeline;

import io.millrace.feed.Feed;
import io.millrace.feed.FeedContext;
import io.millrace.feed.Split;
import io.millrace.output.OutputDefinition;
import io.millrace.pipeline.chain.Endpoints;
import io.millrace.pipeline.chain.PartitionChannels;
import io.millrace.pipeline.chain.StepPlace;
import io.millrace.pipeline.commit.FormerPipelines;
import io.millrace.pipeline.commit.OutputPart;
import io.millrace.pipeline.commit.PipelineOutput;
import io.millrace.pipeline.definition.Parallelism;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.run.Balance;
import io.millrace.pipeline.run.PipelineLimits;
import io.millrace.pipeline.run.RestartRequests;
import io.millrace.pipeline.run.RetryingFeed;
import io.millrace.pipeline.step.EntryStep;
import io.millrace.pipeline.step.RejectCollector;
import io.millrace.pipeline.step.Retry;
import io.millrace.pipeline.step.StopLatch;
import io.millrace.pipeline.step.StoppablePauses;
import io.millrace.pipeline.step.StoreStep;
import io.millrace.pipeline.step.TargetWriters;
import io.millrace.pipeline.version.PartitionRules;
import io.millrace.pipeline.version.PipelineTables;
import io.millrace.pipeline.version.PipelineVersion;
import io.millrace.pipeline.version.RuleSource;
import io.millrace.pipeline.version.VersionAssembler;
import io.millrace.store.Store;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.WriterName;
import io.netty.handler.ssl.SslContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Creates pipelines from plans: their feeds and all that lives as long as they do. The regions must be open. */
public final class PipelineAssembler {

    private final ConfigurableListableBeanFactory beans;
    private final Store store;
    private final TargetWriters targets;
    private final PipelineLimits limits;
    private final Function<String, SslContext> tls;
    private final String instance;
    private final Set<String> configured;

    /**
     * @param outputs outputs by name
     * @param tls provides the TLS context of an SSL bundle by the bundle's name
     * @param instance name of this process among those that run the same pipelines
     * @param configured names of all configured pipelines
     */
    public PipelineAssembler(
            ConfigurableListableBeanFactory beans,
            Store store,
            Map<String, OutputDefinition> outputs,
            PipelineLimits limits,
            Function<String, SslContext> tls,
            String instance,
            Set<String> configured) {
        this.tls = tls;
        this.instance = instance;
        this.configured = Set.copyOf(configured);
        this.beans = beans;
        this.store = store;
        this.targets = new StoredTargets(store, outputs);
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
        Parallelism parallelism = plan.definition().parallelism();
        Endpoints endpoints = new Endpoints(beans, parallelism.partitions());
        Balance balance = new Balance(plan.name(), parallelism.partitions(), isPersistent(plan), store, stop);
        List<Partition> partitions = new ArrayList<>();
        for (int i = 0; i < parallelism.partitions(); i++) {
            Split split = new Split(i, parallelism.partitions());
            partitions.add(partition(plan, source, stop, balance, endpoints.of(i), split));
        }
        return new Pipeline(plan.definition(), partitions, parallelism.lanes(), endpoints, balance, stop);
    }

    private boolean isPersistent(PipelinePlan plan) {
        return plan.keepsOnDisk(region -> store.definition(region).persistent());
    }

    private Partition partition(
            PipelinePlan plan,
            RuleSource source,
            StoppablePauses stop,
            Balance balance,
            PartitionChannels channels,
            Split split) {
        PipelineDefinition definition = plan.definition();
        ReentrantLock lock = new ReentrantLock();
        Retry retry = new Retry(plan.name(), stop);
        Feed opened = definition.feed().create(new FeedContext(plan.schema(), limits.batchRecords(), split, tls));
        RestartRequests restarts = new RestartRequests(() -> {
            stop.wake();
            opened.wake();
        });
        RetryingFeed feed =
                new RetryingFeed(plan.name(), opened, stop.orWhile(restarts::requested), limits.feedRetryTimeout());
        WriterName name = new WriterName(plan.name(), feed.replayable() ? null : instance, split.index(), null);
        RejectTargets rejectTargets = new RejectTargets(definition, channels);
        RejectCollector rejects = rejectTargets.collector();
        boolean persistent = isPersistent(plan);
        String keepRaw = definition.keepRaw();
        RegionWriter rawWriter = keepRaw == null ? null : store.writer(keepRaw, name, plan.schema(), rejects);
        PipelineTables tables =
                new PipelineTables(name, instance, feed.replayable(), persistent, definition.rulesMayChange(), store);
        VersionAssembler assembler =
                new VersionAssembler(channels, store, targets, name, persistent, rejects, retry, rawWriter, tables);
        PipelineVersion first = assembler.assemble(0, plan);
        EntryStep entry = new EntryStep(definition.inputChannel(), first.reading(), rejects, lock);
        add(
                channels,
                definition,
                entry,
                rawWriter == null ? null : new StoreStep(definition.rawChannel(), rawWriter, retry));
        PipelineOutput.Rejects rejected = rejectTargets.connect(targets, name, retry);
        first.chain().links().forEach(link -> channels.add(link.place(), link.step()));
        PipelineOutput output = new PipelineOutput(
                plan.name(),
                split,
                store,
                definition.rulesMayChange(),
                new FormerPipelines(configured, definition.readsKnownFeed()),
                rejected,
                keepRaw == null || rawWriter == null ? null : new OutputPart.Records(keepRaw, rawWriter, retry),
                assembler.measures(),
                retry);
        PartitionParts parts = new PartitionParts(
                definition,
                name,
                persistent,
                feed,
                channels.output(definition.inputChannel()),
                entry,
                rejects,
                assembler,
                new PartitionRules(assembler, first, channels, entry, source, name, tables, opened::wake),
                output,
                balance,
                retry,
                stop,
                restarts,
                lock);
        return new Partition(parts, limits, store);
    }

    /**
     * Adds the steps before those of the rules.
     *
     * @param raw stores records before the first step; null if they are not stored
     */
    private static void add(
            PartitionChannels channels, PipelineDefinition definition, EntryStep entry, @Nullable StoreStep raw) {
        String input = definition.inputChannel();
        String admitted = definition.admittedChannel();
        if (raw == null) {
            channels.add(StepPlace.between(input, admitted), entry);
            entry.setOutput(channels.output(admitted));
        } else {
            channels.add(StepPlace.between(input, raw.name()), entry);
            entry.setOutput(channels.output(raw.name()));
            channels.add(StepPlace.between(raw.name(), admitted), raw);
            raw.setOutput(channels.output(admitted));
        }
    }
}
