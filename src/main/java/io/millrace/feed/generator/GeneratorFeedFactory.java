package io.millrace.feed.generator;

import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedFactory;

/** Feeds of generated records. */
public final class GeneratorFeedFactory implements FeedFactory<GeneratorProperties> {

    @Override
    public String name() {
        return "generator";
    }

    @Override
    public Class<GeneratorProperties> propertiesType() {
        return GeneratorProperties.class;
    }

    @Override
    public FeedDefinition define(GeneratorProperties properties, FeedCheck check) {
        check.between("rate", properties.rate(), 0, Long.MAX_VALUE);
        check.between("count", properties.count(), 0, Long.MAX_VALUE);
        return properties;
    }
}
