package io.millrace.expression.runtime;

import io.millrace.codec.RawBytes;
import io.millrace.expression.ir.TextCharset;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Operations on texts as slices of byte arrays, called by generated code: {@code from} is the first index of a slice,
 * {@code to} the index after the last. Two slices have the same character set. Stateless; allocates only where the
 * method says so.
 *
 * <p>Searches compare bytes: in UTF-8 too, a match only begins where a character begins.
 */
public final class TextSlices {

    /** UTF-8 bytes from this one on are ordered differently from UTF-16 units. */
    private static final int UTF16_ORDER = 0xEE;

    private TextSlices() {}

    /** Returns the index after a number of one-byte characters; throws {@link RecordException} if there are fewer. */
    public static int position(int from, int to, long characters) {
        Utf8.requireWithin(characters, to - from);
        return from + (int) characters;
    }

    /** Returns whether a text starts with another one. */
    public static boolean startsWith(byte[] bytes, int from, int to, byte[] other, int otherFrom, int otherTo) {
        int length = otherTo - otherFrom;
        return length <= to - from && Arrays.equals(bytes, from, from + length, other, otherFrom, otherTo);
    }

    /** Returns whether a text ends with another one. */
    public static boolean endsWith(byte[] bytes, int from, int to, byte[] other, int otherFrom, int otherTo) {
        int length = otherTo - otherFrom;
        return length <= to - from && Arrays.equals(bytes, to - length, to, other, otherFrom, otherTo);
    }

    /** Returns whether a text contains another one. */
    public static boolean contains(byte[] bytes, int from, int to, byte[] other, int otherFrom, int otherTo) {
        return find(bytes, from, to, other, otherFrom, otherTo) >= 0;
    }

    /** Returns the number of one-byte characters before the other text, or -1. */
    public static int indexOf(byte[] bytes, int from, int to, byte[] other, int otherFrom, int otherTo) {
        int found = find(bytes, from, to, other, otherFrom, otherTo);
        return found < 0 ? found : found - from;
    }

    /** Returns the number of UTF-16 units before the other text in UTF-8, or -1. */
    public static int indexOfUtf8(byte[] bytes, int from, int to, byte[] other, int otherFrom, int otherTo) {
        int found = find(bytes, from, to, other, otherFrom, otherTo);
        return found < 0 ? found : Utf8.units(bytes, from, found);
    }

    /** Writes two texts one after the other and returns their length. */
    public static int join(byte[] bytes, int from, int to, byte[] other, int otherFrom, int otherTo, byte[] into) {
        int length = to - from;
        int otherLength = otherTo - otherFrom;
        System.arraycopy(bytes, from, into, 0, length);
        System.arraycopy(other, otherFrom, into, length, otherLength);
        return length + otherLength;
    }

    /** Writes a text with each occurrence of a target replaced, from left to right, and returns its length. */
    public static int replace(byte[] bytes, int from, int to, byte[] target, byte[] replacement, byte[] into) {
        int length = 0;
        int at = from;
        for (int found = find(bytes, at, to, target, 0, target.length);
                found >= 0;
                found = find(bytes, at, to, target, 0, target.length)) {
            System.arraycopy(bytes, at, into, length, found - at);
            length += found - at;
            System.arraycopy(replacement, 0, into, length, replacement.length);
            length += replacement.length;
            at = found + target.length;
        }
        System.arraycopy(bytes, at, into, length, to - at);
        return length + to - at;
    }

    private static int find(byte[] bytes, int from, int to, byte[] other, int otherFrom, int otherTo) {
        int length = otherTo - otherFrom;
        if (length == 0) {
            return from;
        }
        byte first = other[otherFrom];
        for (int i = from; i <= to - length; i++) {
            if (bytes[i] == first && Arrays.equals(bytes, i, i + length, other, otherFrom, otherTo)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns whether two texts are equal; null is an absent text. */
    public static boolean same(
            byte @Nullable [] bytes, int from, int to, byte @Nullable [] other, int otherFrom, int otherTo) {
        if (bytes == null || other == null) {
            return bytes == null && other == null;
        }
        return Arrays.equals(bytes, from, to, other, otherFrom, otherTo);
    }

    /**
     * Returns whether two texts are equal, ignoring case; false if the other text is null, which is an absent text.
     * Allocates for texts beyond ASCII.
     */
    public static boolean sameInAnyCase(
            byte[] bytes, int from, int to, byte @Nullable [] other, int otherFrom, int otherTo, TextCharset charset) {
        if (other == null) {
            return false;
        }
        if (!RawBytes.isAscii(bytes, from, to - from) || !RawBytes.isAscii(other, otherFrom, otherTo - otherFrom)) {
            return TextCase.decode(bytes, from, to, charset)
                    .equalsIgnoreCase(TextCase.decode(other, otherFrom, otherTo, charset));
        }
        if (to - from != otherTo - otherFrom) {
            return false;
        }
        for (int i = 0; i < to - from; i++) {
            if (TextCase.lower(bytes[from + i]) != TextCase.lower(other[otherFrom + i])) {
                return false;
            }
        }
        return true;
    }

    /** Compares two texts of one-byte characters; null is an absent text, which comes first. */
    public static int compare(
            byte @Nullable [] bytes, int from, int to, byte @Nullable [] other, int otherFrom, int otherTo) {
        if (bytes == null || other == null) {
            return (bytes == null ? 0 : 1) - (other == null ? 0 : 1);
        }
        return Arrays.compareUnsigned(bytes, from, to, other, otherFrom, otherTo);
    }

    /** Compares two texts in UTF-8 by their UTF-16 units; null is an absent text, which comes first. */
    public static int compareUtf8(
            byte @Nullable [] bytes, int from, int to, byte @Nullable [] other, int otherFrom, int otherTo) {
        if (bytes == null || other == null) {
            return compare(bytes, from, to, other, otherFrom, otherTo);
        }
        int same = Arrays.mismatch(bytes, from, to, other, otherFrom, otherTo);
        if (same < 0 || from + same == to || otherFrom + same == otherTo) {
            return (to - from) - (otherTo - otherFrom);
        }
        return utf16Order(bytes[from + same]) - utf16Order(other[otherFrom + same]);
    }

    /**
     * Returns a number that orders a byte of UTF-8 as UTF-16 does: surrogates, whose characters begin with 0xF0 to 0xF4
     * in UTF-8, come before U+E000 to U+FFFF, which begin with 0xEE and 0xEF.
     */
    private static int utf16Order(byte value) {
        int order = value & 0xFF;
        return order < UTF16_ORDER ? order : order < 0xF0 ? order + 5 : order - 2;
    }

    /**
     * Returns a long that is ordered like a text of up to 8 bytes: its bytes as an unsigned number, shifted to the
     * range of long. Null is an absent text, which comes first.
     */
    public static long sortable(byte @Nullable [] bytes, int from, int to, boolean utf8) {
        if (bytes == null) {
            return Long.MIN_VALUE;
        }
        long packed = 0;
        for (int i = from; i < from + Long.BYTES; i++) {
            int value = i >= to ? 0 : utf8 ? utf16Order(bytes[i]) : bytes[i] & 0xFF;
            packed = packed << Byte.SIZE | value;
        }
        return packed ^ Long.MIN_VALUE;
    }

    /** Returns the index after the leading characters up to U+0020. */
    public static int trimmedStart(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && isBlank(bytes[at])) {
            at++;
        }
        return at;
    }

    /** Returns the index of the trailing characters up to U+0020. */
    public static int trimmedEnd(byte[] bytes, int from, int to) {
        int at = to;
        while (at > from && isBlank(bytes[at - 1])) {
            at--;
        }
        return at;
    }

    private static boolean isBlank(byte value) {
        return value >= 0 && value <= ' ';
    }
}
