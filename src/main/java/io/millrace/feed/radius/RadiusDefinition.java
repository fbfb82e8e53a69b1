package io.millrace.feed.radius;

import io.millrace.feed.Feed;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedEnd;
import io.millrace.schema.Schema;

/** RADIUS accounting requests, which are acknowledged after they are stored. */
record RadiusDefinition(RadiusOptions options) implements FeedDefinition {

    @Override
    public FeedEnd end() {
        return FeedEnd.NEVER;
    }

    @Override
    public String describe() {
        return "RADIUS at " + options.address() + ":" + options.port();
    }

    @Override
    public void check(Schema schema, FeedCheck check) {
        requirePackets("radius", schema, check);
    }

    /** Requires a schema of packets, whose length varies. */
    static void requirePackets(String kind, Schema schema, FeedCheck check) {
        if (!schema.layout().variesInLength() || schema.layout().nests()) {
            check.schemaProblem("Schema '" + schema.name() + "' does not describe packets, but the feed '" + kind
                    + "' delivers packets. Use a schema of the tagged layout.");
        }
    }

    @Override
    public Feed create(FeedContext context) {
        return new RadiusFeed(options, context.batchRecords());
    }
}
