package io.millrace.store.block;

import io.millrace.codec.RawBytes;
import java.util.Arrays;

/**
 * Unsigned codes of one width in bits: 0, 1, 2, 4 and 8 bits, or 2 to 7 whole bytes. Allows random access to codes.
 *
 * <p>Codes of up to 8 bits fill whole groups of {@value #GROUP}, each as many little-endian longs as a code has bits.
 * They alternate between these longs: the first code is the lowest lane of the first long, the second that of the
 * second. So the results of a test of all lanes, one bit for each, only need to be shifted and joined to be in the
 * order of the codes.
 *
 * <pre>
 *   4 bits        lane 15        lane 1   lane 0
 *   long 0     | code 60 | ... | code 4 | code 0 |
 *   long 1     | code 61 | ... | code 5 | code 1 |
 *   long 2     | code 62 | ... | code 6 | code 2 |
 *   long 3     | code 63 | ... | code 7 | code 3 |
 * </pre>
 *
 * Wider codes are little-endian and back to back, followed by as many zeros as necessary to read each as a long.
 *
 * <p>Stateless; allocates nothing. Bytes past the array are never read: that is an {@link IndexOutOfBoundsException}.
 */
public final class Packed {

    /** Number of codes whose test results fill one long. */
    public static final int GROUP = 64;

    /** Maximum width of a code in bits. */
    static final int MAX_WIDTH = 56;

    private static final long[] ONES = {
        0, -1L, 0x5555_5555_5555_5555L, 0, 0x1111_1111_1111_1111L, 0, 0, 0, 0x0101_0101_0101_0101L
    };

    private Packed() {}

    /** Returns the smallest width for codes up to a largest, unsigned one; 64 if none is wide enough. */
    static int width(long largest) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(largest);
        return bits <= 2 ? bits : bits <= 4 ? 4 : (bits + 7) / 8 * 8;
    }

    static boolean isWidth(int width) {
        return width == 0
                || width == 1
                || width == 2
                || width == 4
                || (width % 8 == 0 && width > 0 && width <= MAX_WIDTH);
    }

    /** Returns the length in bytes of codes. */
    static long length(int width, int count) {
        return width <= 8
                ? (long) width * Long.BYTES * groups(count)
                : count == 0 ? 0 : (long) width / Byte.SIZE * count + Long.BYTES - width / Byte.SIZE;
    }

    /** Returns the number of groups of 64 codes. */
    public static int groups(int count) {
        return (int) ((count + (long) GROUP - 1) / GROUP);
    }

    /** Returns one code. */
    static long get(byte[] bytes, int at, int width, int index) {
        return switch (width) {
            case 0 -> 0;
            case 1, 2, 4, 8 -> {
                int group = at + index / GROUP * width * Long.BYTES;
                int within = index % GROUP;
                long lanes = RawBytes.getLongLe(bytes, group + within % width * Long.BYTES);
                yield (lanes >>> (within / width * width)) & ((1L << width) - 1);
            }
            case 16 -> RawBytes.getShortLe(bytes, at + 2 * index) & 0xFFFF;
            case 24 -> RawBytes.getIntLe(bytes, at + 3 * index) & 0xFF_FFFF;
            case 32 -> RawBytes.getIntLe(bytes, at + 4 * index) & 0xFFFF_FFFFL;
            default -> RawBytes.getLongLe(bytes, at + width / Byte.SIZE * index) & ((1L << width) - 1);
        };
    }

    /** Reads all codes. */
    static void getAll(byte[] bytes, int at, int width, int count, long[] into) {
        switch (width) {
            case 16 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = RawBytes.getShortLe(bytes, at + 2 * i) & 0xFFFF;
                }
            }
            case 24 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = RawBytes.getIntLe(bytes, at + 3 * i) & 0xFF_FFFF;
                }
            }
            case 32 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = RawBytes.getIntLe(bytes, at + 4 * i) & 0xFFFF_FFFFL;
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    into[i] = get(bytes, at, width, i);
                }
            }
        }
    }

    /** Reads the codes at some indexes. */
    static void getSome(byte[] bytes, int at, int width, int[] indexes, int count, long[] into) {
        switch (width) {
            case 16 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = RawBytes.getShortLe(bytes, at + 2 * indexes[i]) & 0xFFFF;
                }
            }
            case 24 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = RawBytes.getIntLe(bytes, at + 3 * indexes[i]) & 0xFF_FFFF;
                }
            }
            case 32 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = RawBytes.getIntLe(bytes, at + 4 * indexes[i]) & 0xFFFF_FFFFL;
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    into[i] = get(bytes, at, width, indexes[i]);
                }
            }
        }
    }

    /**
     * Writes codes over zeros.
     *
     * @param numbers whose differences from {@code base} are the codes
     */
    static void put(long[] numbers, long base, int count, int width, byte[] into, int at) {
        switch (width) {
            case 0 -> {}
            case 1, 2, 4, 8 -> putSmall(numbers, base, count, width, into, at);
            case 16 -> {
                for (int i = 0; i < count; i++) {
                    RawBytes.putShortLe(into, at + 2 * i, (short) (numbers[i] - base));
                }
            }
            case 24 -> {
                for (int i = 0; i < count; i++) {
                    RawBytes.putIntLe(into, at + 3 * i, (int) (numbers[i] - base));
                }
            }
            case 32 -> {
                for (int i = 0; i < count; i++) {
                    RawBytes.putIntLe(into, at + 4 * i, (int) (numbers[i] - base));
                }
            }
            default -> {
                int bytes = width / Byte.SIZE;
                for (int i = 0; i < count; i++) {
                    RawBytes.putLongLe(into, at + bytes * i, numbers[i] - base);
                }
            }
        }
    }

    private static void putSmall(long[] numbers, long base, int count, int width, byte[] into, int at) {
        int past = count / GROUP * GROUP;
        long bases = base * ONES[width];
        // Each call has a constant width, so that the JIT compiler unrolls the loop over the codes of a long.
        switch (width) {
            case 1 -> {
                for (int first = 0, place = at; first < past; first += GROUP, place += Long.BYTES) {
                    RawBytes.putLongLe(into, place, lanes(numbers, first, 1) - bases);
                }
            }
            case 2 -> {
                for (int first = 0, place = at; first < past; first += GROUP, place += 2 * Long.BYTES) {
                    RawBytes.putLongLe(into, place, lanes(numbers, first, 2) - bases);
                    RawBytes.putLongLe(into, place + 8, lanes(numbers, first + 1, 2) - bases);
                }
            }
            case 4 -> {
                for (int first = 0, place = at; first < past; first += GROUP, place += 4 * Long.BYTES) {
                    putFour(numbers, first, 4, bases, into, place);
                }
            }
            default -> {
                for (int first = 0, place = at; first < past; first += GROUP, place += 8 * Long.BYTES) {
                    putFour(numbers, first, 8, bases, into, place);
                    putFour(numbers, first + 4, 8, bases, into, place + 32);
                }
            }
        }
        int place = at + past / Byte.SIZE * width;
        for (int row = 0; row < width && past < count; row++, place += Long.BYTES) {
            long lanes = 0;
            for (int i = past + row, shift = 0; i < count; i += width, shift += width) {
                lanes |= (numbers[i] - base) << shift;
            }
            RawBytes.putLongLe(into, place, lanes);
        }
    }

    /** Returns the sum of the numbers of one long of a group, each shifted to its lane. */
    private static long lanes(long[] numbers, int first, int width) {
        long lanes = 0;
        for (int i = first + GROUP - width; i >= first; i -= width) {
            lanes = (lanes << width) + numbers[i];
        }
        return lanes;
    }

    /** Writes four longs of a group at once, whose chains of additions the processor executes in parallel. */
    private static void putFour(long[] numbers, int first, int width, long bases, byte[] into, int at) {
        long lanes0 = 0;
        long lanes1 = 0;
        long lanes2 = 0;
        long lanes3 = 0;
        for (int i = first + GROUP - width; i >= first; i -= width) {
            lanes0 = (lanes0 << width) + numbers[i];
            lanes1 = (lanes1 << width) + numbers[i + 1];
            lanes2 = (lanes2 << width) + numbers[i + 2];
            lanes3 = (lanes3 << width) + numbers[i + 3];
        }
        RawBytes.putLongLe(into, at, lanes0 - bases);
        RawBytes.putLongLe(into, at + 8, lanes1 - bases);
        RawBytes.putLongLe(into, at + 16, lanes2 - bases);
        RawBytes.putLongLe(into, at + 24, lanes3 - bases);
    }

    /**
     * Removes from a selection the codes outside a range, or those inside it.
     *
     * @param low smallest code of the range
     * @param high its largest code, not below {@code low}
     * @param inside whether codes inside the range remain
     * @param selection one bit for each code, from the lowest of the first long on
     */
    static void select(
            byte[] bytes, int at, int width, int count, long low, long high, boolean inside, long[] selection) {
        long turn = inside ? 0 : -1;
        int groups = groups(count);
        if (width > 8) {
            selectWide(bytes, at, width, count, low, high, turn, selection);
            return;
        }
        long largest = (1L << width) - 1;
        if (low > largest || (low == 0 && high >= largest)) {
            // All codes have the same result.
            if ((low == 0) != inside) {
                Arrays.fill(selection, 0, groups, 0);
            }
            return;
        }
        long from = low * ONES[width];
        long past = high >= largest ? 0 : (high + 1) * ONES[width];
        boolean same = low == high;
        switch (width) {
            case 1 -> {
                long flip = turn ^ (low == 0 ? -1 : 0);
                for (int g = 0, place = at; g < groups; g++, place += Long.BYTES) {
                    selection[g] &= RawBytes.getLongLe(bytes, place) ^ flip;
                }
            }
            case 2 -> {
                for (int g = 0, place = at; g < groups; g++, place += 2 * Long.BYTES) {
                    long answer = (Lanes.matches(RawBytes.getLongLe(bytes, place), from, past, same, Lanes.PAIRS) >>> 1)
                            | Lanes.matches(RawBytes.getLongLe(bytes, place + 8), from, past, same, Lanes.PAIRS);
                    selection[g] &= answer ^ turn;
                }
            }
            case 4 -> {
                for (int g = 0, place = at; g < groups; g++, place += 4 * Long.BYTES) {
                    selection[g] &= nibbles(bytes, place, from, past, same) ^ turn;
                }
            }
            default -> {
                for (int g = 0, place = at; g < groups; g++, place += 8 * Long.BYTES) {
                    long answer = 0;
                    for (int i = 0; i < 8; i++) {
                        long lanes = RawBytes.getLongLe(bytes, place + 8 * i);
                        answer |= Lanes.matches(lanes, from, past, same, Lanes.BYTES) >>> (7 - i);
                    }
                    selection[g] &= answer ^ turn;
                }
            }
        }
    }

    private static long nibbles(byte[] bytes, int at, long from, long past, boolean same) {
        return (Lanes.matches(RawBytes.getLongLe(bytes, at), from, past, same, Lanes.NIBBLES) >>> 3)
                | (Lanes.matches(RawBytes.getLongLe(bytes, at + 8), from, past, same, Lanes.NIBBLES) >>> 2)
                | (Lanes.matches(RawBytes.getLongLe(bytes, at + 16), from, past, same, Lanes.NIBBLES) >>> 1)
                | Lanes.matches(RawBytes.getLongLe(bytes, at + 24), from, past, same, Lanes.NIBBLES);
    }

    private static void selectWide(
            byte[] bytes, int at, int width, int count, long low, long high, long turn, long[] selection) {
        long span = high - low;
        for (int first = 0; first < count; first += GROUP) {
            long alive = selection[first / GROUP];
            if (alive == 0) {
                continue;
            }
            int end = Math.min(GROUP, count - first);
            long answer = 0;
            switch (width) {
                case 16 -> {
                    for (int i = 0; i < end; i++) {
                        answer |= within((RawBytes.getShortLe(bytes, at + 2 * (first + i)) & 0xFFFF) - low, span) << i;
                    }
                }
                case 24 -> {
                    for (int i = 0; i < end; i++) {
                        answer |= within((RawBytes.getIntLe(bytes, at + 3 * (first + i)) & 0xFF_FFFF) - low, span) << i;
                    }
                }
                case 32 -> {
                    for (int i = 0; i < end; i++) {
                        answer |= within((RawBytes.getIntLe(bytes, at + 4 * (first + i)) & 0xFFFF_FFFFL) - low, span)
                                << i;
                    }
                }
                default -> {
                    for (int i = 0; i < end; i++) {
                        answer |= within(get(bytes, at, width, first + i) - low, span) << i;
                    }
                }
            }
            selection[first / GROUP] = alive & (answer ^ turn);
        }
    }

    /** Returns 1 if a distance lies between 0 and a span of less than 2^62, both inclusive, else 0. */
    private static long within(long distance, long span) {
        return ~(distance | (span - distance)) >>> 63;
    }
}
