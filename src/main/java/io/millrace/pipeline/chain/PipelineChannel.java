package io.millrace.pipeline.chain;

import org.springframework.integration.channel.PublishSubscribeChannel;

/**
 * A channel of a pipeline. Each subscriber gets every batch in addition to the pipeline, not instead of it. It fails to
 * send a batch without subscribers, so that a stopped endpoint or a misspelled name loses no records.
 *
 * <p>An application can define a channel of the same name, of any type. Batches of this type pass from step to step
 * without messages while nobody else subscribes; those of others do not, because they may do anything with a message.
 */
public final class PipelineChannel extends PublishSubscribeChannel {

    /** Creates a channel that requires a subscriber. */
    public PipelineChannel() {
        super(true);
    }
}
