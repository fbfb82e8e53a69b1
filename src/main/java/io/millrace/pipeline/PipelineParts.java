package io.millrace.pipeline;

import io.millrace.feed.Feed;
import io.millrace.measure.MeasureProcessor;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.EntryStep;
import io.millrace.pipeline.step.RejectCollector;
import io.millrace.pipeline.step.Retry;
import io.millrace.store.RegionWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.messaging.MessageChannel;

/**
 * What a pipeline is made of.
 *
 * @param plan what it was made from
 * @param feed where its records come from
 * @param input the channel that its first endpoint listens on
 * @param entry that endpoint
 * @param steps the steps of the plan, in order
 * @param rejects collects its rejects
 * @param writers what keeps records, by region
 * @param measures what its steps measure
 * @param output all that is written, together
 * @param retry retries what the store refuses
 * @param lock held while steps or writers run
 */
public record PipelineParts(
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
