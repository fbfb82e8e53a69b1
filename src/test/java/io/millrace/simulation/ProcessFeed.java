package io.millrace.simulation;

import io.millrace.feed.Feed;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.Split;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The feed of one process.
 *
 * @param feed returns the feed of a split; null in plans that no process runs
 */
record ProcessFeed(@Nullable Function<Split, Feed> feed) implements FeedDefinition {

    @Override
    public String describe() {
        return "simulated";
    }

    @Override
    public Feed create(FeedContext context) {
        return Objects.requireNonNull(feed).apply(context.split());
    }
}
