package io.millrace.expression.runtime;

import io.millrace.codec.RawBytes;
import java.util.Arrays;

/** Compares and writes padded texts in byte arrays, for generated code. Stateless; allocates nothing. */
public final class TextBytes {

    private TextBytes() {}

    /** Returns whether the bytes at an offset are those of a constant. */
    public static boolean is(byte[] bytes, int at, byte[] constant) {
        return Arrays.equals(bytes, at, at + constant.length, constant, 0, constant.length);
    }

    /** Returns whether the bytes of a slice are one of the constants, which are sorted as unsigned bytes. */
    public static boolean in(byte[] bytes, int from, int to, byte[][] sorted) {
        int low = 0;
        int high = sorted.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            byte[] probe = sorted[middle];
            int order = Arrays.compareUnsigned(bytes, from, to, probe, 0, probe.length);
            if (order == 0) {
                return true;
            }
            if (order < 0) {
                high = middle - 1;
            } else {
                low = middle + 1;
            }
        }
        return false;
    }

    /** Returns whether a field contains only padding. */
    public static boolean blank(byte[] bytes, int at, int width, int pad) {
        // From the start, since most texts that are not blank differ in their first byte.
        for (int i = at; i < at + width; i++) {
            if (bytes[i] != (byte) pad) {
                return false;
            }
        }
        return true;
    }

    /** Returns the number of bytes before the padding. */
    public static int length(byte[] bytes, int at, int width, int pad) {
        int length = width;
        while (length > 0 && bytes[at + length - 1] == (byte) pad) {
            length--;
        }
        return length;
    }

    /**
     * Writes a text of the field's character set and pads it. Throws {@link RecordException} if the text is too long,
     * or ends with the padding and so would be read as a shorter one.
     */
    public static void put(byte[] bytes, int from, int to, byte[] into, int at, int width, int pad, String field) {
        int length = to - from;
        if (length > width) {
            throw RecordException.outOfRange("of " + length + " bytes", field);
        }
        if (length > 0 && bytes[to - 1] == (byte) pad) {
            throw RecordException.outOfRange("ending with the padding of its target", field);
        }
        System.arraycopy(bytes, from, into, at, length);
        Arrays.fill(into, at + length, at + width, (byte) pad);
    }

    /**
     * Writes a text as {@link #put} does, to a field in which padding stands for absent. Throws {@link RecordException}
     * if the text would be read as absent.
     */
    public static void putPresent(
            byte[] bytes, int from, int to, byte[] into, int at, int width, int pad, String field) {
        if (from == to) {
            throw RecordException.outOfRange("of padding only, which stands for absent,", field);
        }
        put(bytes, from, to, into, at, width, pad, field);
    }

    /**
     * Writes a text to an array of texts of a width, each padded and followed by one byte: 0, or 1 if a field of this
     * width cannot hold the text.
     *
     * @param index the index in the array of texts
     */
    public static void putKey(byte[] bytes, int from, int to, byte[] into, int index, int width, int pad) {
        int length = to - from;
        int at = index * (width + 1);
        boolean fits = length <= width && (length == 0 || bytes[to - 1] != (byte) pad);
        int copied = Math.min(length, width);
        System.arraycopy(bytes, from, into, at, copied);
        Arrays.fill(into, at + copied, at + width, (byte) pad);
        into[at + width] = (byte) (fits ? 0 : 1);
    }

    /** Writes a constant. */
    public static void put(byte[] into, int at, byte[] constant) {
        System.arraycopy(constant, 0, into, at, constant.length);
    }

    /** Checks that a text is ASCII; throws {@link RecordException} with the field's name if not. */
    public static void requireAscii(byte[] bytes, int from, int to, String field) {
        if (!RawBytes.isAscii(bytes, from, to - from)) {
            throw RecordException.outOfRange("with characters past US-ASCII", field);
        }
    }
}
