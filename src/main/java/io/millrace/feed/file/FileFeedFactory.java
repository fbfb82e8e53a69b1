package io.millrace.feed.file;

import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedFactory;
import java.nio.file.Path;

/** Feeds of a file of records, back to back or each after its length. Their only property is the path. */
public final class FileFeedFactory implements FeedFactory<Path> {

    @Override
    public String name() {
        return "file";
    }

    @Override
    public Class<Path> propertiesType() {
        return Path.class;
    }

    @Override
    public FeedDefinition define(Path path, FeedCheck check) {
        check.readable("", path);
        return new FileDefinition(path);
    }
}
