package io.millrace.feed;

import io.millrace.extension.ConnectionCheck;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.util.Set;

/**
 * A feed whose source does not grow.
 *
 * @param feed the feed as its kind defines it
 */
public record FinalFeed(FeedDefinition feed) implements FeedDefinition {

    /** Returns a feed whose end, if it has one, is final. */
    public static FeedDefinition of(FeedDefinition feed) {
        FeedDefinition ended = feed.end() == FeedEnd.OPEN ? feed.withFinalEnd() : feed;
        return ended.end() == FeedEnd.OPEN ? new FinalFeed(ended) : ended;
    }

    @Override
    public String describe() {
        return feed.describe();
    }

    @Override
    public FeedEnd end() {
        return FeedEnd.FINAL;
    }

    @Override
    public void check(Schema schema, FeedCheck check) {
        feed.check(schema, check);
    }

    @Override
    public String constraints(Schema schema) {
        return feed.constraints(schema);
    }

    @Override
    public boolean readsText() {
        return feed.readsText();
    }

    @Override
    public boolean splittable(Schema schema) {
        return feed.splittable(schema);
    }

    @Override
    public Set<String> splitBy(Schema schema) {
        return feed.splitBy(schema);
    }

    @Override
    public int leastPartitions() {
        return feed.leastPartitions();
    }

    @Override
    public int partitions() {
        return feed.partitions();
    }

    @Override
    public void connect(int partitions, ConnectionCheck check) throws IOException {
        feed.connect(partitions, check);
    }

    @Override
    public Feed create(FeedContext context) {
        return feed.create(context);
    }
}
