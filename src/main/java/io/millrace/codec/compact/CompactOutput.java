package io.millrace.codec.compact;

import io.millrace.codec.RawBytes;
import io.millrace.schema.CompactLayout;
import java.util.Arrays;

/** A growing buffer of compact records. Not thread-safe; allocates only to grow. */
public final class CompactOutput {

    private static final int INITIAL_CAPACITY = 256;
    private static final int BITS_OF_BYTE = 7;

    /** Bits that are collected before their bytes are written. */
    private static final int BITS_OF_CHUNK = Long.BYTES * BITS_OF_BYTE;

    private byte[] bytes = new byte[INITIAL_CAPACITY];
    private int end;

    /** Bits of the current group that are not yet written, and the index of the first one. */
    private long bits;

    private int chunk;

    /** Returns the buffer. Replaced when it grows. */
    byte[] bytes() {
        return bytes;
    }

    /** Returns the number of bytes in the buffer. */
    public int length() {
        return end;
    }

    void clear() {
        end = 0;
    }

    /** Removes all bytes from an offset on. */
    public void truncate(int length) {
        end = length;
    }

    /**
     * Checks the length of the record that begins at an offset.
     *
     * @throws IllegalArgumentException if it is longer than {@link CompactLayout#MAX_LENGTH}; it is removed
     */
    public void endRecord(int from) {
        int length = end - from;
        if (length > CompactLayout.MAX_LENGTH) {
            end = from;
            throw new IllegalArgumentException("Invalid length of the record: " + length
                    + " bytes. A record has at most " + CompactLayout.MAX_LENGTH + " bytes.");
        }
    }

    /**
     * Begins the bits of a group. Returns their offset.
     *
     * @param count number of bits that the group has
     */
    public int beginBits(int count) {
        reserve(Long.BYTES * (1 + count / BITS_OF_CHUNK));
        bits = 0;
        chunk = 0;
        return end;
    }

    /** Sets a bit, whose index is larger than those set before. */
    public void setBit(int bit) {
        while (bit - chunk >= BITS_OF_CHUNK) {
            for (int i = 0; i < Long.BYTES; i++) {
                putByteOfBits();
            }
            chunk += BITS_OF_CHUNK;
        }
        bits |= 1L << (bit - chunk);
    }

    /** Ends the bits of a group that begin at an offset, without bytes at the end that are zero. */
    public void endBits(int from) {
        do {
            putByteOfBits();
        } while (bits != 0);
        while (end > from + 1 && bytes[end - 1] == (byte) 0x80) {
            end--;
        }
        bytes[end - 1] &= 0x7F;
    }

    private void putByteOfBits() {
        bytes[end++] = (byte) (bits | 0x80);
        bits >>>= BITS_OF_BYTE;
    }

    /** Reserves a byte for the length of a part. Returns its offset. */
    public int beginPart() {
        reserve(1);
        return end++;
    }

    /** Writes the length of a part, whose bytes follow an offset. */
    public void endPart(int lengthAt) {
        int length = end - lengthAt - 1;
        int more = Varint.bytes(length) - 1;
        if (more > 0) {
            reserve(more);
            System.arraycopy(bytes, lengthAt + 1, bytes, lengthAt + 1 + more, length);
            end += more;
        }
        Varint.put(bytes, lengthAt, length);
    }

    /** Writes an unsigned integer as {@link Varint} describes it. */
    public void varint(long value) {
        reserve(Varint.MAX_BYTES);
        end = Varint.append(bytes, end, value);
    }

    void put(int value) {
        reserve(1);
        bytes[end++] = (byte) value;
    }

    void putInt(int value) {
        reserve(Integer.BYTES);
        RawBytes.putInt(bytes, end, value);
        end += Integer.BYTES;
    }

    void putLong(long value) {
        reserve(Long.BYTES);
        RawBytes.putLong(bytes, end, value);
        end += Long.BYTES;
    }

    /** Writes bytes of an array. */
    public void copy(byte[] from, int at, int length) {
        reserve(length);
        RawBytes.copy(from, at, bytes, end, length);
        end += length;
    }

    private void reserve(int more) {
        if (end + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end + more, 2 * bytes.length));
        }
    }
}
