package io.millrace.feed.file;

import io.millrace.codec.file.ContentCheck;
import io.millrace.extension.ConnectionCheck;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedFile;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.nio.file.Path;

/** A file of records, read from its beginning to its end. */
public record FileDefinition(Path path) implements FeedDefinition {

    @Override
    public String describe() {
        return "file " + path;
    }

    @Override
    public void check(Schema schema, FeedCheck check) {
        check.content("", path, () -> ContentCheck.requireRecords(path, schema));
    }

    @Override
    public boolean splittable(Schema schema) {
        return !schema.layout().variesInLength();
    }

    @Override
    public void connect(int partitions, ConnectionCheck check) throws IOException {
        FeedFile.connect(path, check);
    }

    @Override
    public Feed create(FeedContext context) {
        return context.schema().layout().variesInLength()
                ? new PrefixedFileFeed(path, context.schema(), context.batchRecords())
                : new FileFeed(path, context.schema(), context.batchRecords(), context.split());
    }
}
