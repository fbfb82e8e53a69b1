package io.millrace.feed.text;

import io.millrace.codec.ContentException;
import io.millrace.codec.check.ConstraintCheck;
import io.millrace.codec.file.ContentCheck;
import io.millrace.codec.text.RecordText;
import io.millrace.extension.ConnectionCheck;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedEnd;
import io.millrace.feed.FeedFactory;
import io.millrace.feed.FeedFile;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Feeds of a file of one form of text. Their only property is the path. */
abstract class TextFeedFactory implements FeedFactory<Path> {

    private final String name;

    TextFeedFactory(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Class<Path> propertiesType() {
        return Path.class;
    }

    abstract RecordText text(Schema schema);

    /**
     * Requires that a file that begins with these bytes can contain the form of text.
     *
     * @throws ContentException if it has another content, which the message names
     */
    abstract void requireContent(String file, byte[] head) throws ContentException;

    /** Returns what the form of text can't hold of a schema, or an empty text. */
    abstract String refusal(Schema schema);

    @Override
    public FeedDefinition define(Path path, FeedCheck check) {
        check.readable("", path);
        return new Definition(this, path, FeedEnd.OPEN);
    }

    /** A feed as configured. */
    private record Definition(TextFeedFactory kind, Path path, FeedEnd end) implements FeedDefinition {

        @Override
        public String describe() {
            return kind.name + " " + path;
        }

        @Override
        public FeedDefinition withFinalEnd() {
            return new Definition(kind, path, FeedEnd.FINAL);
        }

        private boolean last() {
            return end == FeedEnd.FINAL;
        }

        @Override
        public void check(Schema schema, FeedCheck check) {
            if (schema.layout().variesInLength() && !schema.layout().nests()) {
                check.schemaProblem("Schema '" + schema.name() + "' has the layout '"
                        + schema.layout().name() + "', but the feed '" + kind.name
                        + "' delivers fixed or compact records. Use a schema of the fixed or the compact layout.");
                return;
            }
            String refusal = kind.refusal(schema);
            if (refusal.isEmpty()) {
                check.content("", path, () -> {
                    try (InputStream in = Files.newInputStream(path)) {
                        kind.requireContent(path.toString(), ContentCheck.head(in));
                    }
                    TextFeed.requireHead(path, kind.text(schema), last());
                });
            } else {
                check.schemaProblem(refusal);
            }
        }

        @Override
        public String constraints(Schema schema) {
            return ConstraintCheck.describe(schema);
        }

        @Override
        public boolean readsText() {
            return true;
        }

        @Override
        public void connect(int partitions, ConnectionCheck check) throws IOException {
            FeedFile.connect(path, check);
        }

        @Override
        public Feed create(FeedContext context) {
            return new TextFeed(path, kind.text(context.schema()), context.schema(), context.batchRecords(), last());
        }
    }
}
