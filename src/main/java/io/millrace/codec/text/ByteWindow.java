package io.millrace.codec.text;

import java.io.IOException;
import java.util.Arrays;

/**
 * The part of a file or a stream that is in memory: an array that moves along it, and grows for long lines and records.
 * Not thread-safe.
 */
public abstract class ByteWindow {

    private byte[] bytes;
    private int next;
    private int limit;
    private boolean ended;

    /** @param initialBytes initial length of the array */
    protected ByteWindow(int initialBytes) {
        this.bytes = new byte[initialBytes];
    }

    /**
     * Reads the bytes that follow those that have been read.
     *
     * @param into receives the bytes, from {@code at} on
     * @param length maximum number of bytes
     * @return the number of bytes, or -1 at the end
     */
    protected abstract int read(byte[] into, int at, int length) throws IOException;

    /** Called before the bytes that have been consumed are dropped from the array. */
    protected void drop() {
        // nothing by default
    }

    /** Returns the array; replaced when more is read. */
    public final byte[] bytes() {
        return bytes;
    }

    /** Returns the offset of the first byte that has not been consumed. */
    public final int next() {
        return next;
    }

    /** Returns the offset past the last byte that has been read. */
    public final int limit() {
        return limit;
    }

    /** Returns whether no bytes follow those that have been read. */
    public final boolean ended() {
        return ended;
    }

    /** Consumes bytes that have been read. */
    public void advance(int length) {
        next += length;
    }

    /** Reads more behind what has not been consumed; at the end, the window has ended. */
    public final void readMore() throws IOException {
        drop();
        int length = limit - next;
        if (length > bytes.length / 2) {
            bytes = Arrays.copyOfRange(bytes, next, next + 2 * bytes.length);
        } else {
            System.arraycopy(bytes, next, bytes, 0, length);
        }
        next = 0;
        limit = length;
        int read = read(bytes, limit, bytes.length - limit);
        if (read < 0) {
            ended = true;
        } else {
            limit += read;
        }
    }

    /** Drops all bytes, so that reading continues from another place. */
    protected final void reset() {
        next = 0;
        limit = 0;
        ended = false;
    }
}
