package io.millrace.pipeline;

import io.millrace.pipeline.commit.PipelineOutput;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.run.Balance;
import io.millrace.pipeline.run.RestartRequests;
import io.millrace.pipeline.run.RetryingFeed;
import io.millrace.pipeline.step.EntryStep;
import io.millrace.pipeline.step.RejectCollector;
import io.millrace.pipeline.step.Retry;
import io.millrace.pipeline.step.StepOutput;
import io.millrace.pipeline.step.StoppablePauses;
import io.millrace.pipeline.version.PartitionRules;
import io.millrace.pipeline.version.VersionAssembler;
import io.millrace.store.write.WriterName;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The parts that a partition of a pipeline is created from. They live as long as the pipeline, whichever rules it has.
 *
 * @param definition the configured pipeline, of which only the steps can change
 * @param writer writer name of the partition
 * @param persistent whether one of the pipeline's regions is persistent
 * @param feed its part of the source of records
 * @param input passes batches to the step before all others
 * @param entry the step before all others
 * @param rejects collects its rejects
 * @param assembler has its writers and measures
 * @param rules versions of its rules
 * @param output writes and commits everything that the pipeline produces
 * @param balance of all partitions of the pipeline
 * @param retry retries store operations
 * @param stop ends the pauses of all partitions when the pipeline is stopped
 * @param restarts requests to restart the partition
 * @param lock held while steps or writers run
 */
record PartitionParts(
        PipelineDefinition definition,
        WriterName writer,
        boolean persistent,
        RetryingFeed feed,
        StepOutput input,
        EntryStep entry,
        RejectCollector rejects,
        VersionAssembler assembler,
        PartitionRules rules,
        PipelineOutput output,
        Balance balance,
        Retry retry,
        StoppablePauses stop,
        RestartRequests restarts,
        ReentrantLock lock) {}
