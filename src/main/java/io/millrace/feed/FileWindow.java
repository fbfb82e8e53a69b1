package io.millrace.feed;

import io.millrace.codec.text.ByteWindow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/**
 * The part of a file that a feed reads: an array that moves along the file, and grows for long records. Not
 * thread-safe.
 */
public final class FileWindow implements ByteWindow {

    private final FeedFile file;
    private byte[] bytes;
    private int next;
    private int limit;
    private boolean ended;
    private long position;

    /** @param initialBytes initial length of the array */
    public FileWindow(FeedFile file, int initialBytes) {
        this.file = file;
        this.bytes = new byte[initialBytes];
    }

    /** Continues at a position of the file, which is open. */
    public void moveTo(long newPosition) throws IOException {
        file.opened().position(newPosition);
        position = newPosition;
        next = 0;
        limit = 0;
        ended = false;
    }

    @Override
    public void readMore() throws IOException {
        int length = limit - next;
        if (length > bytes.length / 2) {
            bytes = Arrays.copyOfRange(bytes, next, next + 2 * bytes.length);
        } else {
            System.arraycopy(bytes, next, bytes, 0, length);
        }
        next = 0;
        limit = length;
        int read = file.opened().read(ByteBuffer.wrap(bytes, limit, bytes.length - limit));
        if (read < 0) {
            ended = true;
        } else {
            limit += read;
        }
    }

    /** Reads more until a number of bytes have not been consumed, and returns whether there are so many. */
    public boolean require(int length) throws IOException {
        while (limit - next < length && !ended) {
            readMore();
        }
        return limit - next >= length;
    }

    @Override
    public void advance(int length) {
        next += length;
        position += length;
    }

    @Override
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public int next() {
        return next;
    }

    @Override
    public int limit() {
        return limit;
    }

    @Override
    public boolean ended() {
        return ended;
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
