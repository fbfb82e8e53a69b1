package io.millrace.schema;

import java.io.Serializable;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The storage of an integer in bytes: the raw form of integers, decimals, dates, instants, dictionaries, booleans and
 * bit fields.
 *
 * @param bytes width in bytes of the word that contains the integer, 1 to 8
 * @param signed whether the integer is two's complement; an unsigned integer of 64 bits is handled as the long of the
 *     same bits
 * @param order byte order of the word
 * @param shift lowest bit of the integer in the word; 0 is the least significant
 * @param bits width of the integer in bits, up to {@code 8 * bytes - shift}
 */
@API(status = API.Status.STABLE)
public record IntStorage(int bytes, boolean signed, ByteOrder order, int shift, int bits) implements Serializable {

    private static final Pattern SHORT_FORM =
            Pattern.compile("([iu])(8|16|24|32|40|48|56|64)(le)?(?:\\[(\\d+)\\.\\.(\\d+)])?");

    public IntStorage {
        if (bytes < 1 || bytes > 8) {
            throw new IllegalArgumentException("Invalid width '" + bytes + "'. Use 1 to 8 bytes.");
        }
        if (shift < 0 || bits < 1 || shift + bits > 8 * bytes) {
            throw new IllegalArgumentException("Invalid bits '" + shift + ".." + (shift + bits - 1) + "' of " + bytes
                    + " bytes. Use 0 to " + (8 * bytes - 1) + ".");
        }
    }

    /**
     * Returns the storage of a short form.
     *
     * @throws IllegalArgumentException if {@link #toString} does not produce the text
     */
    @API(status = API.Status.INTERNAL)
    public static IntStorage parse(String text) {
        Matcher parts = SHORT_FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("Unknown storage '" + text + "'.");
        }
        IntStorage word = of(
                Integer.parseInt(parts.group(2)) / Byte.SIZE,
                parts.group(1).equals("i"),
                parts.group(3) == null ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        if (parts.group(4) == null) {
            return word;
        }
        int lowest = Integer.parseInt(parts.group(4));
        return word.slice(lowest, Integer.parseInt(parts.group(5)) - lowest + 1);
    }

    private Object writeReplace() {
        return new Written(bytes, signed, order == ByteOrder.LITTLE_ENDIAN, shift, bits);
    }

    /** Serialized form, because {@link ByteOrder} is not serializable. */
    private record Written(int bytes, boolean signed, boolean little, int shift, int bits) implements Serializable {
        private Object readResolve() {
            return new IntStorage(bytes, signed, little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN, shift, bits);
        }
    }

    /** Returns the storage of an integer that uses all bits of its word. */
    public static IntStorage of(int bytes, boolean signed, ByteOrder order) {
        return new IntStorage(bytes, signed, order, 0, 8 * bytes);
    }

    /** Returns the storage of an integer that uses some bits of this word. */
    public IntStorage slice(int lowestBit, int width) {
        return new IntStorage(bytes, signed, order, lowestBit, width);
    }

    /** Returns whether the integer uses all bits of its word, so that reading needs neither shift nor mask. */
    public boolean wholeWord() {
        return shift == 0 && bits == 8 * bytes;
    }

    /**
     * Returns whether the integer is unsigned and of 64 bits, so that the {@code long} of the same bits may be
     * negative.
     */
    public boolean unsignedLong() {
        return !signed && bits == 64;
    }

    /** Returns the smallest raw value. */
    public long min() {
        return signed ? -1L << (bits - 1) : 0;
    }

    /** Returns the largest raw value; for an unsigned integer of 64 bits this is -1, all bits set. */
    public long max() {
        return signed ? ~min() : (bits == 64 ? -1L : (1L << bits) - 1);
    }

    /** Returns {@link #min()} as a number. */
    public BigInteger smallest() {
        return BigInteger.valueOf(min());
    }

    /** Returns {@link #max()} as a number. */
    public BigInteger largest() {
        return unsignedLong() ? BigInteger.TWO.pow(64).subtract(BigInteger.ONE) : BigInteger.valueOf(max());
    }

    /** Returns whether a raw value can be stored without loss. */
    public boolean holds(long raw) {
        return unsignedLong() || (raw >= min() && raw <= max());
    }

    /** Returns a short form, such as {@code u16} or {@code i32le}; a slice appends its bits: {@code u8[3..5]}. */
    @Override
    public String toString() {
        String name = (signed ? "i" : "u") + 8 * bytes + (order == ByteOrder.LITTLE_ENDIAN && bytes > 1 ? "le" : "");
        return wholeWord() ? name : name + "[" + shift + ".." + (shift + bits - 1) + "]";
    }
}
