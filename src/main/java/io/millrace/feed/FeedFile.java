package io.millrace.feed;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The file of a replayable feed whose positions count bytes. Not thread-safe. */
public final class FeedFile {

    private final Path path;
    private @Nullable FileChannel channel;
    private String key = "";

    public FeedFile(Path path) {
        this.path = path;
    }

    /**
     * Opens the file at a position.
     *
     * @throws EOFException if the file ends before the position
     */
    public FileChannel open(long position) throws IOException {
        FileChannel opened = FileChannel.open(path, StandardOpenOption.READ);
        channel = opened;
        key = FileIdentity.key(path);
        if (position > opened.size()) {
            throw new EOFException("File '" + path + "' has " + opened.size()
                    + " bytes, but its records were read up to byte " + position
                    + ". Use the file that this pipeline began with.");
        }
        return opened.position(position);
    }

    /**
     * Returns the open file.
     *
     * @throws IllegalStateException if it is not open
     */
    public FileChannel opened() {
        FileChannel open = channel;
        if (open == null) {
            throw new IllegalStateException("The feed is not open.");
        }
        return open;
    }

    /** Implements {@link Feed#identity}. */
    public String identity(long readPosition) throws IOException {
        return FileIdentity.of(opened(), key, readPosition);
    }

    /** Implements {@link Feed#verify}. */
    public void verify(String identity) throws IOException {
        FileIdentity.verify(path, identity);
    }

    /** Closes the file if it is open. */
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
        }
    }
}
