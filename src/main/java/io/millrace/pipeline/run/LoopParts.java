package io.millrace.pipeline.run;

import io.millrace.feed.Feed;
import io.millrace.pipeline.commit.PipelineOutput;
import io.millrace.pipeline.step.Pauses;
import io.millrace.pipeline.step.Retry;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.WriterName;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The dependencies of the loop of a partition.
 *
 * @param name writer name to claim
 * @param persistent whether one of the pipeline's regions is persistent
 * @param finalEnd whether no further records follow the end of the feed
 * @param retry retries store operations until the pipeline stops
 * @param balance decides which partitions this process claims
 * @param pauses end when the pipeline stops or a restart is requested
 * @param restarts requests to restart the pipeline
 * @param lock held while records are processed or written
 */
public record LoopParts(
        WriterName name,
        boolean persistent,
        Feed feed,
        boolean finalEnd,
        BatchProcessing processing,
        RulesControl rules,
        PipelineOutput output,
        RegionWriters store,
        Balance balance,
        Retry retry,
        Pauses pauses,
        RestartRequests restarts,
        PipelineLimits limits,
        ReentrantLock lock) {}
