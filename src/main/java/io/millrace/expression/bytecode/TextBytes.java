package io.millrace.expression.bytecode;

import java.util.Arrays;

/** Padded texts in byte arrays, compared and copied in place for generated code. Stateless; allocates nothing. */
final class TextBytes {

    private TextBytes() {}

    /** Whether the bytes at a place are those of a constant. */
    static boolean is(byte[] bytes, int at, byte[] constant) {
        return Arrays.equals(bytes, at, at + constant.length, constant, 0, constant.length);
    }

    /** Whether the bytes at a place are one of some constants of equal length, sorted as unsigned bytes. */
    static boolean in(byte[] bytes, int at, byte[][] sorted) {
        int low = 0;
        int high = sorted.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            byte[] probe = sorted[middle];
            int order = Arrays.compareUnsigned(bytes, at, at + probe.length, probe, 0, probe.length);
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

    /** Whether two texts are the same up to their padding. */
    static boolean same(
            byte[] left,
            int leftAt,
            int leftWidth,
            int leftPad,
            byte[] right,
            int rightAt,
            int rightWidth,
            int rightPad) {
        int leftLength = length(left, leftAt, leftWidth, leftPad);
        int rightLength = length(right, rightAt, rightWidth, rightPad);
        return Arrays.equals(left, leftAt, leftAt + leftLength, right, rightAt, rightAt + rightLength);
    }

    /** Whether there is nothing but padding. */
    static boolean blank(byte[] bytes, int at, int width, int pad) {
        return length(bytes, at, width, pad) == 0;
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
     * Copies a text, padded anew, to a place at least as wide; one that ends with the new padding, and so would be read
     * shorter, is a {@link RecordException}.
     */
    static void copy(byte[] from, int fromAt, int fromWidth, int fromPad, byte[] to, int toAt, int toWidth, int toPad) {
        int length = length(from, fromAt, fromWidth, fromPad);
        if (length > 0 && from[fromAt + length - 1] == (byte) toPad) {
            throw RecordException.outOfRange("ending with the padding of its target", "a text field");
        }
        System.arraycopy(from, fromAt, to, toAt, length);
        Arrays.fill(to, toAt + length, toAt + toWidth, (byte) toPad);
    }

    /** Writes a constant. */
    static void put(byte[] to, int at, byte[] constant) {
        System.arraycopy(constant, 0, to, at, constant.length);
    }

    /** A long that orders like the text: its bytes as an unsigned number, shifted to the range of long. */
    static long sortable(byte[] bytes, int at, int width, int pad) {
        int length = length(bytes, at, width, pad);
        long packed = 0;
        for (int i = 0; i < 8; i++) {
            packed = (packed << 8) | (i < length ? bytes[at + i] & 0xFF : 0);
        }
        return packed ^ Long.MIN_VALUE;
    }
}
