package io.millrace.codec.text;

import java.io.IOException;
import java.io.InputStream;

/** The part of a stream that is in memory. Not thread-safe. */
public final class StreamWindow extends ByteWindow {

    private static final int INITIAL_BYTES = 1 << 16;

    private final InputStream in;

    /** @param in not closed */
    public StreamWindow(InputStream in) {
        super(INITIAL_BYTES);
        this.in = in;
    }

    @Override
    protected int read(byte[] into, int at, int length) throws IOException {
        return in.read(into, at, length);
    }
}
