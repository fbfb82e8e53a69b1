package io.millrace.feed.tcp;

import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedFactory;

/** Feeds of records that senders transmit over TCP. */
public final class TcpFeedFactory implements FeedFactory<TcpProperties> {

    @Override
    public String name() {
        return "tcp";
    }

    @Override
    public Class<TcpProperties> propertiesType() {
        return TcpProperties.class;
    }

    @Override
    public FeedDefinition define(TcpProperties properties, FeedCheck check) {
        return new TcpReader(properties, check).read();
    }
}
