package io.millrace.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * {@value #COUNT} whole numbers outside the heap, each in as many bits as the largest of them needs above the smallest:
 * numbers from 1,000 to 1,012 take 4 bits each. Written by {@link IntPacker}; immutable as long as its memory is not
 * given out again; no method allocates.
 *
 * <pre>
 * lane              0         1         2    ...   255
 * word row 0   | v0   ...| v1   ...| v2   ...|   | v255 ...|   lowest bits: values 0 to 255,
 *              | v256 ...| v257 ...| v258 ...|   | v511 ...|   above them: 256 to 511, and so on;
 * word row 1   | ...     | ...     | ...     |   | ...     |   what passes bit 31 goes on in the next row
 * </pre>
 *
 * So 256 neighbours always lie at the same bits of 256 neighbouring words: packing is a loop of shifts without a
 * branch, which becomes vector instructions. There are as many word rows as a value has bits. Words are in the
 * machine's own byte order, because they are never stored.
 */
public final class PackedInts {

    /** How many numbers there are in each. */
    public static final int COUNT = 8192;

    static final int LANES = 256;
    static final int ROWS = COUNT / LANES;

    private final MemorySegment words;
    private final int base;
    private final int width;

    PackedInts(MemorySegment words, int base, int width) {
        this.words = words;
        this.base = base;
        this.width = width;
    }

    /** The bytes that numbers of some width take. */
    static long bytes(int width) {
        return (long) width * LANES * Integer.BYTES;
    }

    /**
     * One of them.
     *
     * @throws IndexOutOfBoundsException if there is none at that index
     */
    public int get(int index) {
        int row = Objects.checkIndex(index, COUNT) / LANES;
        if (width == 0) {
            return base;
        }
        int bit = row * width;
        int shift = bit % Integer.SIZE;
        long word = (long) bit / Integer.SIZE * LANES + index % LANES;
        int value = words.getAtIndex(ValueLayout.JAVA_INT, word) >>> shift;
        if (shift + width > Integer.SIZE) {
            value |= words.getAtIndex(ValueLayout.JAVA_INT, word + LANES) << -shift;
        }
        return base + (value & mask());
    }

    /** False if the number is certainly not among them. */
    public boolean mayHold(int value) {
        return width == 0 ? value == base : Integer.compareUnsigned(value - base, mask()) <= 0;
    }

    private int mask() {
        return -1 >>> -width;
    }
}
