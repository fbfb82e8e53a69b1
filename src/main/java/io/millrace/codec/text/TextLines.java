package io.millrace.codec.text;

import io.millrace.codec.RawBytes;
import java.io.IOException;
import java.io.InputStream;

/** Splits a stream into lines that end in LF or CRLF, without blank ones and a byte order mark. Not thread-safe. */
final class TextLines {

    /** Maximum length of a line in bytes. */
    static final int MAX_LINE_BYTES = 1 << 26;

    private final InputStream in;
    private byte[] buffer = new byte[1 << 16];
    private int start;
    private int end;
    private int limit;
    private long number;
    private boolean ended;

    TextLines(InputStream in) {
        this.in = in;
    }

    /**
     * Goes to the next line that is not blank, and returns whether there is one.
     *
     * @throws IOException if the input can't be read, or a line is longer than {@link #MAX_LINE_BYTES}
     */
    boolean next() throws IOException {
        while (findEnd()) {
            if (number == 1) {
                start += byteOrderMark(buffer, start, end);
            }
            if (!isBlank(buffer, start, end)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the length of the byte order mark of UTF-8 at an offset, or 0 if there is none. */
    static int byteOrderMark(byte[] bytes, int from, int to) {
        boolean there = to - from >= 3
                && bytes[from] == (byte) 0xEF
                && bytes[from + 1] == (byte) 0xBB
                && bytes[from + 2] == (byte) 0xBF;
        return there ? 3 : 0;
    }

    static boolean isBlank(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r') {
                return false;
            }
        }
        return true;
    }

    /** Returns the offset of the first line feed, or -1 if there is none. */
    static int lineFeed(byte[] bytes, int from, int to) {
        return RawBytes.indexOf(bytes, from, to, (byte) '\n');
    }

    private boolean findEnd() throws IOException {
        start = number == 0 ? 0 : Math.min(end + 1, limit);
        number++;
        int searched = start;
        while (true) {
            int lineFeed = lineFeed(buffer, searched, limit);
            if (lineFeed >= 0) {
                end = lineFeed;
                return true;
            }
            if (ended) {
                end = limit;
                return start < limit;
            }
            int length = limit - start;
            read(length);
            searched = length;
        }
    }

    /** Moves the line to the beginning of the buffer, and reads more of the input behind it. */
    private void read(int length) throws IOException {
        if (length >= MAX_LINE_BYTES) {
            throw new IOException("Line " + number + " is too long. Use at most " + MAX_LINE_BYTES + " bytes.");
        }
        byte[] target = length > buffer.length / 2 ? new byte[2 * buffer.length] : buffer;
        System.arraycopy(buffer, start, target, 0, length);
        buffer = target;
        start = 0;
        limit = length;
        int read = in.read(buffer, limit, buffer.length - limit);
        if (read < 0) {
            ended = true;
        } else {
            limit += read;
        }
    }

    /** Returns the array that contains the line. */
    byte[] bytes() {
        return buffer;
    }

    int start() {
        return start;
    }

    /** Returns the length of the line in bytes. */
    int length() {
        return end - start;
    }

    /** Returns the number of the line, from 1, including blank lines. */
    long number() {
        return number;
    }
}
