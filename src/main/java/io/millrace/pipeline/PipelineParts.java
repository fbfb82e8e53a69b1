package io.millrace.pipeline;

import io.millrace.feed.Feed;
import io.millrace.measure.MeasureProcessor;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.EntryStep;
import io.millrace.pipeline.step.RejectCollector;
import io.millrace.pipeline.step.Retry;
import io.millrace.store.write.RegionWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.messaging.MessageChannel;

/**
 * The parts that a pipeline is created from.
 *
 * @param plan the plan that the pipeline was created from
 * @param feed source of its records
 * @param input the channel of its first endpoint
 * @param entry its first endpoint
 * @param steps the steps of the plan, in order
 * @param rejects collects its rejects
 * @param writers writers of records, by region
 * @param measures processors of its measures
 * @param output writes and commits everything that the pipeline produces
 * @param retry retries store operations
 * @param lock held while steps or writers run
 */
record PipelineParts(
        PipelinePlan plan,
        Feed feed,
        MessageChannel input,
        EntryStep entry,
        List<BatchStep> steps,
        RejectCollector rejects,
        Map<String, RegionWriter> writers,
        List<MeasureProcessor> measures,
        PipelineOutput output,
        Retry retry,
        ReentrantLock lock) {}
