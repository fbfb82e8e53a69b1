package io.millrace.codec.frame;

import io.millrace.codec.RawBytes;
import io.millrace.schema.IntStorage;
import java.nio.ByteOrder;

/** Frames records with a length prefix. */
final class LengthPrefixFramer implements Framer {

    private final IntStorage storage;
    private final int width;

    /** Bytes of a frame that its length prefix does not include. */
    private final int uncounted;

    /**
     * @param width of the prefix in bytes
     * @param countsItself whether the length includes the prefix
     */
    LengthPrefixFramer(int width, ByteOrder order, boolean countsItself) {
        this.storage = IntStorage.of(width, false, order);
        this.width = width;
        this.uncounted = countsItself ? 0 : width;
    }

    @Override
    public long frameLength(byte[] bytes, int start, int end, int searched) {
        if (end - start < width) {
            return width;
        }
        long length = RawBytes.get(bytes, start, storage) + uncounted;
        return length < width ? WRONG : length;
    }

    @Override
    public int head() {
        return width;
    }

    @Override
    public int tail() {
        return 0;
    }

    @Override
    public String describeCut(byte[] bytes, int have) {
        return have < width
                ? "after " + have + " of the length's " + width + " bytes"
                : "after " + (have - width) + " of the record's " + (frameLength(bytes, 0, have, 0) - width) + " bytes";
    }
}
