package io.millrace.pipeline.chain;

import org.springframework.integration.channel.PublishSubscribeChannel;

/**
 * A channel of a pipeline. Each subscriber gets every batch in addition to the pipeline, not instead of it. It fails to
 * send a batch without subscribers, so that a stopped endpoint or a misspelled name loses no records.
 *
 * <p>An application can define a channel of the same name, of any type. Batches pass a channel of this class without a
 * message while nobody else subscribes; those of other classes may do anything with a message.
 */
public class PipelineChannel extends PublishSubscribeChannel {

    /** Creates a channel that requires a subscriber. */
    public PipelineChannel() {
        super(true);
    }
}
