package daybook;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * {@value #COUNT} ints outside the heap, each in as many bits as their range needs: numbers from 1,000 to 1,012 take 4
 * bits each. Written by {@link IntPacker}. Immutable until its memory is reused. No method allocates.
 *
 * <pre>
 * lane              0         1         2    ...   255
 * word row 0   | v0   ...| v1   ...| v2   ...|   | v255 ...|   lowest bits: values 0 to 255,
 *              | v256 ...| v257 ...| v258 ...|   | v511 ...|   above them: 256 to 511, and so on;
 * word row 1   | ...     | ...     | ...     |   | ...     |   bits above 31 continue in the next row
 * </pre>
 *
 * 256 neighbors have the same bits of 256 neighboring words. Packing is therefore a loop of shifts without branches,
 * which the JIT compiler vectorizes. There are as many word rows as a value has bits. Words are in native byte order,
 * because they are never stored.
 */
public final class PackedInts {

    /** Number of ints in each instance. */
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

    /** Returns the number of bytes for ints of a width in bits. */
    static long bytes(int width) {
        return (long) width * LANES * Integer.BYTES;
    }

    /**
     * Returns the int at an index.
     *
     * @throws IndexOutOfBoundsException if the index is not from 0 to {@code COUNT - 1}
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

    /** Returns false only if no int equals the value. */
    public boolean mayHold(int value) {
        return width == 0 ? value == base : Integer.compareUnsigned(value - base, mask()) <= 0;
    }

    private int mask() {
        return -1 >>> -width;
    }
}
