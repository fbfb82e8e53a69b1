package io.millrace.pipeline;

import io.millrace.pipeline.Endpoints.Endpoint;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.step.EntryStep;
import io.millrace.pipeline.step.RejectCollector;
import io.millrace.pipeline.step.Retry;
import io.millrace.pipeline.step.StoppablePauses;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.messaging.MessageChannel;

/**
 * The parts that a pipeline is created from. They live as long as the pipeline, whichever rules it has.
 *
 * @param definition the configured pipeline, of which only the steps can change
 * @param feed source of its records
 * @param input the channel of its first endpoint
 * @param entry its first endpoint
 * @param endpoints the endpoints of the first version's steps, of the first endpoint and of rejects
 * @param rejects collects its rejects
 * @param assembler has its writers and measures
 * @param rules versions of its rules
 * @param output writes and commits everything that the pipeline produces
 * @param retry retries store operations
 * @param stop ends the pauses of the pipeline's thread when it is stopped
 * @param restarts requests to restart it
 * @param lock held while steps or writers run
 */
record PipelineParts(
        PipelineDefinition definition,
        RetryingFeed feed,
        MessageChannel input,
        EntryStep entry,
        List<Endpoint> endpoints,
        RejectCollector rejects,
        VersionAssembler assembler,
        LiveRules rules,
        PipelineOutput output,
        Retry retry,
        StoppablePauses stop,
        RestartRequests restarts,
        ReentrantLock lock) {}
