package io.millrace.pipeline.definition;

import io.millrace.feed.radius.RadiusOptions;
import java.nio.file.Path;

/** Where a pipeline's records come from. */
public sealed interface FeedDefinition {

    /** One file of records, from its beginning to its end. */
    record FileDefinition(Path path) implements FeedDefinition {}

    /**
     * Records made up on the way.
     *
     * @param rate records a second, 0 for as many as are taken
     * @param count how many in all, 0 for no end
     * @param seed equal seeds make equal records
     */
    record GeneratorDefinition(long rate, long count, long seed) implements FeedDefinition {}

    /** RADIUS accounting requests, answered once they are stored. */
    record RadiusDefinition(RadiusOptions options) implements FeedDefinition {}

    /** None: records arrive only as messages that somebody sends to the pipeline's channel. */
    record ChannelDefinition() implements FeedDefinition {}
}
