package io.millrace.model.sample;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts a stream into JSON objects: one in each line, one behind the other over several lines, or the elements of one
 * array. Finds the end of an object by its braces; what is between them is not checked. Not thread-safe.
 */
final class JsonRecords implements Closeable {

    /** Maximum length of an object in bytes. */
    private static final int MAX_BYTES = 1 << 26;

    private static final int INITIAL_BYTES = 1 << 16;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final InputStream in;
    private byte[] buffer = new byte[INITIAL_BYTES];
    private int next;
    private int limit;
    private int start;
    private int end;
    private long line = 1;
    private long startLine = 1;
    private boolean array;
    private boolean arrayEnded;
    private boolean started;

    JsonRecords(InputStream in) {
        this.in = in;
    }

    /** Returns the line of the current object, or of what is wrong, from 1. */
    long line() {
        return startLine;
    }

    byte[] bytes() {
        return buffer;
    }

    /** Returns the offset of the current object. */
    int from() {
        return start;
    }

    int length() {
        return end - start;
    }

    /**
     * Moves to the next object. Returns false at the end of the stream.
     *
     * @throws IllegalArgumentException if something else follows; the message has no place
     */
    boolean next() throws IOException {
        if (!started) {
            skipByteOrderMark();
            started = true;
        }
        int c = read();
        while (c == ' ' || c == '\t' || c == '\r' || c == '\n' || isOfArray(c)) {
            c = read();
        }
        startLine = line;
        if (c < 0) {
            if (array && !arrayEnded) {
                throw new IllegalArgumentException("The array has no end. Close it with ']'.");
            }
            return false;
        }
        if (c != '{' || arrayEnded) {
            throw new IllegalArgumentException("Invalid record: not a JSON object.");
        }
        start = next - 1;
        object();
        end = next;
        return true;
    }

    private boolean isOfArray(int c) {
        if (c == '[' && !array && start == end) {
            array = true;
            return true;
        }
        if (c == ']' && array && !arrayEnded) {
            arrayEnded = true;
            return true;
        }
        return c == ',' && array && !arrayEnded;
    }

    private void object() throws IOException {
        int depth = 1;
        boolean text = false;
        while (depth > 0) {
            int c = read();
            if (c < 0) {
                throw new IllegalArgumentException("The object has no end. Close it with '}'.");
            }
            if (text && c == '\\') {
                read();
            } else if (c == '"') {
                text = !text;
            } else if (!text) {
                depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            }
        }
    }

    private int read() throws IOException {
        if (next == limit && !fill()) {
            return -1;
        }
        byte c = buffer[next++];
        if (c == '\n') {
            line++;
        }
        return c & 0xFF;
    }

    /** Reads more behind the current object. */
    private boolean fill() throws IOException {
        int kept = start < end ? limit - end : limit - start;
        int keptFrom = start < end ? end : start;
        if (start < end) {
            start = end;
        }
        if (kept > MAX_BYTES) {
            throw new IllegalArgumentException("An object has more than " + MAX_BYTES + " bytes.");
        }
        if (kept > buffer.length / 2) {
            buffer = Arrays.copyOfRange(buffer, keptFrom, keptFrom + 2 * buffer.length);
        } else {
            System.arraycopy(buffer, keptFrom, buffer, 0, kept);
        }
        next -= keptFrom;
        start -= keptFrom;
        end = Math.max(0, end - keptFrom);
        limit = kept;
        int read = in.read(buffer, limit, buffer.length - limit);
        limit += Math.max(0, read);
        return read > 0;
    }

    private void skipByteOrderMark() throws IOException {
        while (limit < BYTE_ORDER_MARK.length && fill()) {
            // A stream may return fewer bytes than there are.
        }
        if (limit >= BYTE_ORDER_MARK.length && Arrays.equals(buffer, 0, 3, BYTE_ORDER_MARK, 0, 3)) {
            next = BYTE_ORDER_MARK.length;
            start = next;
            end = next;
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
