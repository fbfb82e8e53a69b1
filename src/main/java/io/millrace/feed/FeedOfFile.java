package io.millrace.feed;

import java.io.IOException;
import java.nio.file.Path;

/** A feed of a file whose positions count its bytes: replayable, and identified by the bytes before a position. */
public abstract class FeedOfFile implements Feed {

    /** The file, which a subclass opens. */
    protected final FeedFile file;

    protected FeedOfFile(Path path) {
        file = new FeedFile(path);
    }

    @Override
    public final boolean replayable() {
        return true;
    }

    @Override
    public final String identity(long readPosition) throws IOException {
        return file.identity(readPosition);
    }

    @Override
    public final void verify(String before) throws IOException {
        file.verify(before);
    }

    @Override
    public final void close() throws IOException {
        file.close();
    }
}
