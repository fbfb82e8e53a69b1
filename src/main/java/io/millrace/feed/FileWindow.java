package io.millrace.feed;

import io.millrace.codec.text.ByteWindow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** The part of a file that a feed reads. Not thread-safe. */
public final class FileWindow extends ByteWindow {

    private final FeedFile file;
    private long position;
    /** Offset of the first byte that the file's identity has not received. */
    private int unidentified;

    /** @param initialBytes initial length of the array */
    public FileWindow(FeedFile file, int initialBytes) {
        super(initialBytes);
        this.file = file;
    }

    /** Continues at a position of the file, which is open. */
    public void moveTo(long newPosition) throws IOException {
        file.opened().position(newPosition);
        file.identity().moveTo(newPosition);
        position = newPosition;
        unidentified = 0;
        reset();
    }

    @Override
    protected int read(byte[] into, int at, int length) throws IOException {
        return file.read(ByteBuffer.wrap(into, at, length));
    }

    @Override
    protected void drop() {
        identify();
        unidentified = 0;
    }

    private void identify() {
        file.identity().read(bytes(), unidentified, next() - unidentified);
        unidentified = next();
    }

    /** Marks the end of what has been consumed as the end of a batch. */
    public void endBatch() {
        identify();
        file.identity().endBatch();
    }

    /** Reads more until a number of bytes have not been consumed, and returns whether there are so many. */
    public boolean require(int length) throws IOException {
        while (limit() - next() < length && !ended()) {
            readMore();
        }
        return limit() - next() >= length;
    }

    @Override
    public void advance(int length) {
        super.advance(length);
        position += length;
    }

    /** Returns the position in the file of the first byte that has not been consumed. */
    public long position() {
        return position;
    }

    /** Returns the number of bytes of the file that have not been consumed. */
    public long remaining() throws IOException {
        FileChannel opened = file.opened();
        return Math.max(0, opened.size() - position);
    }
}
