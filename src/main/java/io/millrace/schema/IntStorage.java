package io.millrace.schema;

import java.io.Serializable;
import java.math.BigInteger;
import java.nio.ByteOrder;

/**
 * How a whole number lies in the bytes: the raw form behind integers, decimals, dates, instants, dictionaries and bit
 * fields.
 *
 * @param bytes width in bytes of the word that holds it, 1 to 8
 * @param signed whether the number is two's complement; an unsigned number of 64 bits is handled as the long of the
 *     same bits
 * @param order byte order of the word
 * @param shift lowest bit of the number inside the word, 0 is the least significant
 * @param bits width of the number in bits, up to {@code 8 * bytes - shift}
 */
public record IntStorage(int bytes, boolean signed, ByteOrder order, int shift, int bits) implements Serializable {

    public IntStorage {
        if (bytes < 1 || bytes > 8) {
            throw new IllegalArgumentException("bytes=" + bytes + " is not between 1 and 8");
        }
        if (shift < 0 || bits < 1 || shift + bits > 8 * bytes) {
            throw new IllegalArgumentException(
                    "bits " + shift + ".." + (shift + bits - 1) + " do not lie inside " + bytes + " bytes");
        }
    }

    private Object writeReplace() {
        return new Written(bytes, signed, order == ByteOrder.LITTLE_ENDIAN, shift, bits);
    }

    /** Byte orders can't be written. */
    private record Written(int bytes, boolean signed, boolean little, int shift, int bits) implements Serializable {
        private Object readResolve() {
            return new IntStorage(bytes, signed, little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN, shift, bits);
        }
    }

    /** A number that fills its word. */
    public static IntStorage of(int bytes, boolean signed, ByteOrder order) {
        return new IntStorage(bytes, signed, order, 0, 8 * bytes);
    }

    /** The same word, of which only some bits are the number. */
    public IntStorage slice(int lowestBit, int width) {
        return new IntStorage(bytes, signed, order, lowestBit, width);
    }

    /** Whether the number fills its word, so that reading needs neither shift nor mask. */
    public boolean wholeWord() {
        return shift == 0 && bits == 8 * bytes;
    }

    /** Whether the number is unsigned and so wide that a {@code long} of the same bits may be negative. */
    public boolean unsignedLong() {
        return !signed && bits == 64;
    }

    /** Smallest raw value that can be stored. */
    public long min() {
        return signed ? -1L << (bits - 1) : 0;
    }

    /** Largest raw value that can be stored; for an unsigned number of 64 bits this is -1, all bits set. */
    public long max() {
        return signed ? ~min() : (bits == 64 ? -1L : (1L << bits) - 1);
    }

    /** {@link #min()} as the number it stands for. */
    public BigInteger smallest() {
        return BigInteger.valueOf(min());
    }

    /** {@link #max()} as the number it stands for. */
    public BigInteger largest() {
        return unsignedLong() ? BigInteger.TWO.pow(64).subtract(BigInteger.ONE) : BigInteger.valueOf(max());
    }

    /** Whether this raw value can be stored and read back the same. */
    public boolean holds(long raw) {
        return unsignedLong() || (raw >= min() && raw <= max());
    }

    /** Short form, such as {@code u16} or {@code i32le}; a slice adds its bits, {@code u8[3..5]}. */
    @Override
    public String toString() {
        String name = (signed ? "i" : "u") + 8 * bytes + (order == ByteOrder.LITTLE_ENDIAN && bytes > 1 ? "le" : "");
        return wholeWord() ? name : name + "[" + shift + ".." + (shift + bits - 1) + "]";
    }
}
