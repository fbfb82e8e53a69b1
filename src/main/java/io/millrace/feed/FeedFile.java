package io.millrace.feed;

import io.millrace.codec.file.FileErrors;
import io.millrace.extension.ConnectionCheck;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The file of a replayable feed whose positions count bytes. Not thread-safe. */
public final class FeedFile {

    private final Path path;
    private final FileIdentity identity;
    private @Nullable FileChannel channel;

    public FeedFile(Path path) {
        this.path = path;
        this.identity = new FileIdentity(path);
    }

    /** Implements {@link FeedDefinition#connect}. */
    public static void connect(Path path, ConnectionCheck check) throws IOException {
        String refusal = FileErrors.refusal(path);
        if (refusal == null) {
            check.ok(String.format(Locale.ROOT, "%,d bytes", Files.size(path)));
        } else {
            check.failed(refusal);
        }
    }

    /**
     * Opens the file at a position.
     *
     * @throws EOFException if the file ends before the position
     * @throws FeedChangedException if it is not the file that was verified
     */
    public FileChannel open(long position) throws IOException {
        FileChannel opened = FileChannel.open(path, StandardOpenOption.READ);
        channel = opened;
        identity.open(opened, position);
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

    /**
     * Reads the bytes at the position of the open file.
     *
     * @return the number of bytes, or -1 at the end of the file
     * @throws FeedChangedException at the end, if the file was truncated after it was opened
     */
    public int read(ByteBuffer into) throws IOException {
        int read = opened().read(into);
        if (read < 0) {
            identity.requireComplete();
        }
        return read;
    }

    /** Returns what identifies the file, which receives the bytes that the feed has consumed. */
    public FileIdentity identity() {
        return identity;
    }

    /** Implements {@link Feed#identity}. */
    public String identity(long readPosition) throws IOException {
        return identity.at(readPosition);
    }

    /** Implements {@link Feed#verify}. */
    public void verify(String before) throws IOException {
        identity.verify(before);
    }

    /** Closes the file if it is open. */
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
        }
    }
}
