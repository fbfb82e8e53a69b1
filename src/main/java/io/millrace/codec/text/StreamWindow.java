package io.millrace.codec.text;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** The part of a stream that is in memory. Not thread-safe. */
public final class StreamWindow implements ByteWindow {

    private static final int INITIAL_BYTES = 1 << 16;

    private final InputStream in;
    private byte[] bytes = new byte[INITIAL_BYTES];
    private int next;
    private int limit;
    private boolean ended;

    /** @param in not closed */
    public StreamWindow(InputStream in) {
        this.in = in;
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

    @Override
    public void advance(int length) {
        next += length;
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
        int read = in.read(bytes, limit, bytes.length - limit);
        if (read < 0) {
            ended = true;
        } else {
            limit += read;
        }
    }
}
