package io.millrace.feed.radius;

import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedFactory;

/** Feeds of RADIUS accounting requests over UDP. */
public final class RadiusFeedFactory implements FeedFactory<RadiusProperties> {

    @Override
    public String name() {
        return "radius";
    }

    @Override
    public Class<RadiusProperties> propertiesType() {
        return RadiusProperties.class;
    }

    @Override
    public FeedDefinition define(RadiusProperties properties, FeedCheck check) {
        return new RadiusDefinition(new RadiusReader(properties, check).read());
    }
}
