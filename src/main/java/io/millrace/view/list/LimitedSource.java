package io.millrace.view.list;

import java.io.EOFException;
import java.io.IOException;

/** The next bytes of a source, which can have others after them. Not thread-safe. */
final class LimitedSource implements RecordTransfer.Source {

    private final RecordTransfer.Source source;
    private long left;

    /** @param length number of bytes; with none or fewer, there are no bytes */
    LimitedSource(RecordTransfer.Source source, long length) {
        this.source = source;
        this.left = length;
    }

    @Override
    public int read(byte[] bytes, int start, int length) throws IOException {
        if (left <= 0) {
            return -1;
        }
        int read = source.read(bytes, start, (int) Math.min(length, left));
        if (read < 0) {
            throw new EOFException("Incomplete list: " + left + " bytes are missing. Write it again.");
        }
        left -= read;
        return read;
    }
}
