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
    private static final int BYTE_ORDER_MARK = 0xEF;
    private static final int BYTE_ORDER_MARK_BYTES = 3;

    private final InputStream in;
    private byte[] buffer = new byte[INITIAL_BYTES];
    private int next;
    private int limit;
    /** Offset of the object that is being read, or -1 between objects. */
    private int open = -1;

    private int start;
    private int end;
    private long line = 1;
    private long startLine = 1;
    private boolean afterReturn;
    private boolean started;
    private boolean array;
    private boolean arrayEnded;

    JsonRecords(InputStream in) {
        this.in = in;
    }

    /** Returns the line of the current object, or of what is wrong, from 1. */
    long line() {
        return startLine;
    }

    /** Returns the array that contains the current object until the next one is read. */
    byte[] bytes() {
        return buffer;
    }

    /** Returns the offset of the current object. */
    int from() {
        return start;
    }

    /** Returns the length of the current object in bytes. */
    int length() {
        return end - start;
    }

    /**
     * Moves to the next object. Returns false at the end of the stream.
     *
     * @throws IllegalArgumentException if something else follows; the message has no place
     */
    boolean next() throws IOException {
        int c = read();
        if (!started && c == BYTE_ORDER_MARK) {
            for (int i = 0; i < BYTE_ORDER_MARK_BYTES; i++) {
                c = read();
            }
        }
        while (c == ' ' || c == '\t' || c == '\r' || c == '\n' || isOfArray(c)) {
            c = read();
        }
        started = true;
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
        open = next - 1;
        object();
        start = open;
        end = next;
        open = -1;
        return true;
    }

    private boolean isOfArray(int c) {
        if (c == '[' && !array && !started) {
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
        if (c == '\r' || (c == '\n' && !afterReturn)) {
            line++;
        }
        afterReturn = c == '\r';
        return c & 0xFF;
    }

    /** Reads more behind the object that is being read. */
    private boolean fill() throws IOException {
        int from = open < 0 ? limit : open;
        int length = limit - from;
        if (length > MAX_BYTES) {
            throw new IllegalArgumentException("An object has more than " + MAX_BYTES + " bytes.");
        }
        if (length > buffer.length / 2) {
            buffer = Arrays.copyOfRange(buffer, from, from + 2 * buffer.length);
        } else {
            System.arraycopy(buffer, from, buffer, 0, length);
        }
        open = open < 0 ? -1 : 0;
        next = length;
        limit = length + Math.max(0, in.read(buffer, length, buffer.length - length));
        return limit > length;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
