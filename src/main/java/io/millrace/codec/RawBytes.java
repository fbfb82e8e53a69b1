package io.millrace.codec;

import io.millrace.schema.IntStorage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Reads and writes integers of 1 to 8 bytes of either byte order in byte arrays. Stateless; no method allocates. Each
 * throws {@link IndexOutOfBoundsException}, without writing anything, if the number does not lie inside the array.
 *
 * <p>Generated code calls the methods of a fixed width. Methods with an {@link IntStorage} select the width at run
 * time.
 */
public final class RawBytes {

    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGHS = 0x8080_8080_8080_8080L;
    private static final VarHandle I16 = view(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle I32 = view(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle I64 = view(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle I16_LE = view(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle I32_LE = view(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle I64_LE = view(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Longer copies use {@link System#arraycopy}. */
    private static final int MAX_WORD_COPY_BYTES = 128;

    private RawBytes() {}

    private static VarHandle view(Class<?> array, ByteOrder order) {
        return MethodHandles.byteArrayViewVarHandle(array, order);
    }

    /** Returns two bytes, sign-extended. */
    public static short getShort(byte[] bytes, int at) {
        return (short) I16.get(bytes, at);
    }

    /** Returns two bytes in little-endian order, sign-extended. */
    public static short getShortLe(byte[] bytes, int at) {
        return (short) I16_LE.get(bytes, at);
    }

    /** Returns four bytes. */
    public static int getInt(byte[] bytes, int at) {
        return (int) I32.get(bytes, at);
    }

    /** Returns four bytes in little-endian order. */
    public static int getIntLe(byte[] bytes, int at) {
        return (int) I32_LE.get(bytes, at);
    }

    /** Returns eight bytes. */
    public static long getLong(byte[] bytes, int at) {
        return (long) I64.get(bytes, at);
    }

    /** Returns eight bytes in little-endian order. */
    public static long getLongLe(byte[] bytes, int at) {
        return (long) I64_LE.get(bytes, at);
    }

    public static void putShort(byte[] bytes, int at, short value) {
        I16.set(bytes, at, value);
    }

    public static void putShortLe(byte[] bytes, int at, short value) {
        I16_LE.set(bytes, at, value);
    }

    public static void putInt(byte[] bytes, int at, int value) {
        I32.set(bytes, at, value);
    }

    public static void putIntLe(byte[] bytes, int at, int value) {
        I32_LE.set(bytes, at, value);
    }

    public static void putLong(byte[] bytes, int at, long value) {
        I64.set(bytes, at, value);
    }

    public static void putLongLe(byte[] bytes, int at, long value) {
        I64_LE.set(bytes, at, value);
    }

    /**
     * Copies bytes between two different arrays. Faster than {@link System#arraycopy} for the lengths of fields and
     * records, for which the call costs more than the copy.
     */
    public static void copy(byte[] source, int sourceAt, byte[] target, int targetAt, int length) {
        if (length < Long.BYTES || length > MAX_WORD_COPY_BYTES) {
            System.arraycopy(source, sourceAt, target, targetAt, length);
            return;
        }
        // The last word overlaps the previous one, so that no bytes remain.
        int last = length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            I64_LE.set(target, targetAt + i, (long) I64_LE.get(source, sourceAt + i));
        }
        I64_LE.set(target, targetAt + last, (long) I64_LE.get(source, sourceAt + last));
    }

    /** Returns the offset of the first byte of a value between two offsets, or -1 if there is none. */
    public static int indexOf(byte[] bytes, int from, int to, byte value) {
        long values = (value & 0xFF) * ONES;
        int at = from;
        for (; to - at >= Long.BYTES; at += Long.BYTES) {
            long others = getLongLe(bytes, at) ^ values;
            long found = (others - ONES) & ~others & HIGHS;
            if (found != 0) {
                return at + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        for (; at < to; at++) {
            if (bytes[at] == value) {
                return at;
            }
        }
        return -1;
    }

    /** Returns the offset of the first LF or CR, or -1 if there is none. */
    public static int indexOfLineEnd(byte[] bytes, int from, int to) {
        int at = from;
        for (; to - at >= Long.BYTES; at += Long.BYTES) {
            long read = getLongLe(bytes, at);
            long lineFeeds = read ^ '\n' * ONES;
            long returns = read ^ '\r' * ONES;
            long found = (((lineFeeds - ONES) & ~lineFeeds) | ((returns - ONES) & ~returns)) & HIGHS;
            if (found != 0) {
                return at + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        for (; at < to; at++) {
            if (bytes[at] == '\n' || bytes[at] == '\r') {
                return at;
            }
        }
        return -1;
    }

    /** Returns whether all bytes in a range are ASCII. Checks eight at a time. */
    public static boolean isAscii(byte[] bytes, int at, int length) {
        long all = 0;
        if (length < Long.BYTES) {
            for (int i = 0; i < length; i++) {
                all |= bytes[at + i];
            }
        } else {
            // The last word overlaps the previous one, so that no bytes remain.
            int last = length - Long.BYTES;
            for (int i = 0; i < last; i += Long.BYTES) {
                all |= getLongLe(bytes, at + i);
            }
            all |= getLongLe(bytes, at + last);
        }
        return (all & HIGHS) == 0;
    }

    /** Returns the length of bytes without the padding at their end. */
    public static int trimmed(byte[] bytes, int at, int length, byte pad) {
        int end = at + length;
        long padding = (pad & 0xFF) * ONES;
        while (end - at >= Long.BYTES && getLongLe(bytes, end - Long.BYTES) == padding) {
            end -= Long.BYTES;
        }
        while (end > at && bytes[end - 1] == pad) {
            end--;
        }
        return end - at;
    }

    /** Returns the raw value at an offset: its bits extracted from the word, sign- or zero-extended. */
    public static long get(byte[] bytes, int at, IntStorage storage) {
        long word = getWord(bytes, at, storage.bytes(), storage.order());
        int above = 64 - storage.shift() - storage.bits();
        long top = word << above;
        int down = 64 - storage.bits();
        return storage.signed() ? top >> down : top >>> down;
    }

    /**
     * Reads raw values at equidistant offsets.
     *
     * @param at offset of the first value
     * @param stride bytes from one value to the next
     * @param into receives the values
     * @param first index of the first value in {@code into}
     */
    public static void getAll(byte[] bytes, int at, int stride, int count, IntStorage storage, long[] into, int first) {
        int end = first + count;
        boolean big = storage.order() == ByteOrder.BIG_ENDIAN;
        int width = storage.wholeWord() && big ? storage.bytes() : 0;
        long mask = storage.signed() ? -1 : storage.max();
        switch (width) {
            case 1 -> {
                for (int i = first, place = at; i < end; i++, place += stride) {
                    into[i] = bytes[place] & mask;
                }
            }
            case 2 -> {
                for (int i = first, place = at; i < end; i++, place += stride) {
                    into[i] = getShort(bytes, place) & mask;
                }
            }
            case 4 -> {
                for (int i = first, place = at; i < end; i++, place += stride) {
                    into[i] = getInt(bytes, place) & mask;
                }
            }
            case 8 -> {
                for (int i = first, place = at; i < end; i++, place += stride) {
                    into[i] = getLong(bytes, place);
                }
            }
            default -> {
                for (int i = first, place = at; i < end; i++, place += stride) {
                    into[i] = get(bytes, place, storage);
                }
            }
        }
    }

    /**
     * Writes a raw value and preserves the other bits of the word.
     *
     * @param raw a value that the storage {@linkplain IntStorage#holds holds}; higher bits are discarded
     */
    public static void put(byte[] bytes, int at, IntStorage storage, long raw) {
        long word = raw;
        if (!storage.wholeWord()) {
            long mask = (storage.bits() == 64 ? -1L : (1L << storage.bits()) - 1) << storage.shift();
            long old = getWord(bytes, at, storage.bytes(), storage.order());
            word = (old & ~mask) | ((raw << storage.shift()) & mask);
        }
        putWord(bytes, at, storage.bytes(), storage.order(), word);
    }

    /** Returns a word of 1 to 8 bytes. The bits of the long above the word are undefined. */
    private static long getWord(byte[] bytes, int at, int width, ByteOrder order) {
        boolean big = order == ByteOrder.BIG_ENDIAN;
        return switch (width) {
            case 1 -> bytes[at];
            case 2 -> big ? getShort(bytes, at) : getShortLe(bytes, at);
            case 4 -> big ? getInt(bytes, at) : getIntLe(bytes, at);
            case 8 -> big ? getLong(bytes, at) : getLongLe(bytes, at);
            default -> getOddWord(bytes, at, width, big);
        };
    }

    private static long getOddWord(byte[] bytes, int at, int width, boolean big) {
        long word = 0;
        for (int i = 0; i < width; i++) {
            word = (word << 8) | (bytes[big ? at + i : at + width - 1 - i] & 0xFF);
        }
        return word;
    }

    private static void putWord(byte[] bytes, int at, int width, ByteOrder order, long word) {
        boolean big = order == ByteOrder.BIG_ENDIAN;
        switch (width) {
            case 1 -> bytes[at] = (byte) word;
            case 2 -> {
                if (big) {
                    putShort(bytes, at, (short) word);
                } else {
                    putShortLe(bytes, at, (short) word);
                }
            }
            case 4 -> {
                if (big) {
                    putInt(bytes, at, (int) word);
                } else {
                    putIntLe(bytes, at, (int) word);
                }
            }
            case 8 -> {
                if (big) {
                    putLong(bytes, at, word);
                } else {
                    putLongLe(bytes, at, word);
                }
            }
            default -> putOddWord(bytes, at, width, big, word);
        }
    }

    private static void putOddWord(byte[] bytes, int at, int width, boolean big, long word) {
        // Checked before the first byte is written, so that a number is never written in part.
        Objects.checkFromIndexSize(at, width, bytes.length);
        for (int i = 0; i < width; i++) {
            bytes[big ? at + width - 1 - i : at + i] = (byte) (word >>> (8 * i));
        }
    }
}
