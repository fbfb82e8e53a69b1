package io.millrace.simulation;

import io.millrace.feed.Feed;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The feed of one process.
 *
 * @param feed null in plans that no process runs
 */
record ProcessFeed(@Nullable Feed feed) implements FeedDefinition {

    @Override
    public String describe() {
        return "simulated";
    }

    @Override
    public Feed create(FeedContext context) {
        return Objects.requireNonNull(feed);
    }
}
