package io.millrace.feed;

import io.millrace.extension.ConnectionCheck;

/**
 * No feed: records arrive only as messages on the pipeline's input channel.
 *
 * @param channel name of the channel
 */
public record ChannelDefinition(String channel) implements FeedDefinition {

    @Override
    public String describe() {
        return "messages to " + channel;
    }

    @Override
    public FeedEnd end() {
        return FeedEnd.NEVER;
    }

    @Override
    public void connect(int partitions, ConnectionCheck check) {
        check.nothing();
    }

    @Override
    public Feed create(FeedContext context) {
        return new ChannelFeed();
    }
}
