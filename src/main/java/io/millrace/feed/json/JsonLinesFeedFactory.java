package io.millrace.feed.json;

import io.millrace.feed.Feed;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedFactory;
import io.millrace.schema.Schema;
import java.nio.file.Path;

/** Feeds of a file of JSON lines. Their only property is the path. */
public final class JsonLinesFeedFactory implements FeedFactory<Path> {

    @Override
    public String name() {
        return "json-lines";
    }

    @Override
    public Class<Path> propertiesType() {
        return Path.class;
    }

    @Override
    public FeedDefinition define(Path path, FeedCheck check) {
        check.readable("", path);
        return new Definition(path);
    }

    /** A feed as configured. */
    private record Definition(Path path) implements FeedDefinition {

        @Override
        public String describe() {
            return "json-lines " + path;
        }

        @Override
        public void check(Schema schema, FeedCheck check) {
            if (!schema.layout().nests()) {
                check.schemaProblem("Schema '" + schema.name() + "' has the layout '"
                        + schema.layout().name()
                        + "', but the feed 'json-lines' delivers compact records. Use a schema of the compact layout.");
            }
        }

        @Override
        public Feed create(FeedContext context) {
            return new JsonLinesFeed(path, context.schema(), context.batchRecords());
        }
    }
}
