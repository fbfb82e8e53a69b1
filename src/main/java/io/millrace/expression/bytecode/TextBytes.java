package io.millrace.expression.bytecode;

import java.util.Arrays;

/** Padded texts in byte arrays, compared and written in place for generated code. Stateless; allocates nothing. */
final class TextBytes {

    private TextBytes() {}

    /** Whether the bytes at a place are those of a constant. */
    static boolean is(byte[] bytes, int at, byte[] constant) {
        return Arrays.equals(bytes, at, at + constant.length, constant, 0, constant.length);
    }

    /** Whether the bytes of a slice are one of some constants, sorted as unsigned bytes. */
    static boolean in(byte[] bytes, int from, int to, byte[][] sorted) {
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

    /** Whether there is nothing but padding. */
    static boolean blank(byte[] bytes, int at, int width, int pad) {
        // From the start: a text that is there differs in its first byte.
        for (int i = at; i < at + width; i++) {
            if (bytes[i] != (byte) pad) {
                return false;
            }
        }
        return true;
    }

    /** How many bytes come before the padding. */
    static int length(byte[] bytes, int at, int width, int pad) {
        int length = width;
        while (length > 0 && bytes[at + length - 1] == (byte) pad) {
            length--;
        }
        return length;
    }

    /**
     * Writes a text of the field's character set and pads it. One that is too long, or ends with the padding and so
     * would be read shorter, is a {@link RecordException}.
     */
    static void put(byte[] bytes, int from, int to, byte[] into, int at, int width, int pad, String field) {
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
     * Writes a text as one of many of a width, each padded and followed by a byte that is 0, or 1 where the text is
     * none that a field of this width can hold.
     *
     * @param index which of them it is
     */
    static void putKey(byte[] bytes, int from, int to, byte[] into, int index, int width, int pad) {
        int length = to - from;
        int at = index * (width + 1);
        boolean fits = length <= width && (length == 0 || bytes[to - 1] != (byte) pad);
        int kept = Math.min(length, width);
        System.arraycopy(bytes, from, into, at, kept);
        Arrays.fill(into, at + kept, at + width, (byte) pad);
        into[at + width] = (byte) (fits ? 0 : 1);
    }

    /** Writes a constant. */
    static void put(byte[] into, int at, byte[] constant) {
        System.arraycopy(constant, 0, into, at, constant.length);
    }

    /** Passes on a text that must be ASCII, else a {@link RecordException} names the field. */
    static void requireAscii(byte[] bytes, int from, int to, String field) {
        if (!Utf8.isAscii(bytes, from, to)) {
            throw RecordException.outOfRange("with characters past US-ASCII", field);
        }
    }
}
