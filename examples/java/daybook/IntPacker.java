package daybook;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Packs ints and booleans, {@value PackedInts#COUNT} at a time, into {@link AppendOnlyMemory}. Allocates only the view
 * that it returns. Not thread-safe.
 *
 * <p>The JIT compiler vectorizes a loop only if it can prove that source and target do not overlap. It cannot for two
 * arrays of the same type at different indexes. Each row is therefore copied first, which costs less than a scalar
 * loop.
 */
public final class IntPacker {

    private final AppendOnlyMemory memory;
    private final int[] row = new int[PackedInts.LANES];
    private final boolean[] flagRow = new boolean[PackedInts.LANES];
    private final int[] word = new int[PackedInts.LANES];

    public IntPacker(AppendOnlyMemory memory) {
        this.memory = memory;
    }

    /**
     * Packs {@value PackedInts#COUNT} numbers.
     *
     * @param start index of the first number
     * @throws IndexOutOfBoundsException if the array is too short
     * @throws OutOfMemoryError if the system has no memory left
     */
    public PackedInts pack(int[] values, int start) {
        int smallest = Integer.MAX_VALUE;
        int largest = Integer.MIN_VALUE;
        for (int i = start; i < start + PackedInts.COUNT; i++) {
            smallest = Math.min(smallest, values[i]);
            largest = Math.max(largest, values[i]);
        }
        int width = Integer.SIZE - Integer.numberOfLeadingZeros(largest - smallest);
        MemorySegment words = memory.take(PackedInts.bytes(width));
        if (width > 0) {
            pack(values, start, smallest, width, words);
        }
        return new PackedInts(words, smallest, width);
    }

    /**
     * Packs {@value PackedInts#COUNT} booleans, as 0 and 1.
     *
     * @param start index of the first boolean
     * @param gathered after the call, bit {@code i / 256} of word {@code i % 256} is boolean {@code i}
     * @throws IndexOutOfBoundsException if an array is too short
     * @throws OutOfMemoryError if the system has no memory left
     */
    public PackedInts pack(boolean[] values, int start, int[] gathered) {
        Arrays.fill(gathered, 0);
        for (int i = 0; i < PackedInts.ROWS; i++) {
            System.arraycopy(values, start + i * PackedInts.LANES, flagRow, 0, PackedInts.LANES);
            insert(flagRow, i, gathered);
        }
        MemorySegment words = memory.take(PackedInts.bytes(1));
        MemorySegment.copy(gathered, 0, words, ValueLayout.JAVA_INT, 0, PackedInts.LANES);
        return new PackedInts(words, 0, 1);
    }

    private void pack(int[] values, int start, int base, int width, MemorySegment words) {
        Arrays.fill(word, 0);
        long at = 0;
        int shift = 0;
        for (int i = 0; i < PackedInts.ROWS; i++) {
            System.arraycopy(values, start + i * PackedInts.LANES, row, 0, PackedInts.LANES);
            insert(row, base, shift, word);
            shift += width;
            if (shift >= Integer.SIZE) {
                MemorySegment.copy(word, 0, words, ValueLayout.JAVA_INT, at, PackedInts.LANES);
                at += PackedInts.bytes(1);
                shift -= Integer.SIZE;
                begin(row, base, width - shift, word);
            }
        }
    }

    private static void insert(int[] values, int base, int shift, int[] words) {
        for (int i = 0; i < words.length; i++) {
            words[i] |= (values[i] - base) << shift;
        }
    }

    private static void insert(boolean[] values, int shift, int[] words) {
        for (int i = 0; i < words.length; i++) {
            words[i] |= (values[i] ? 1 : 0) << shift;
        }
    }

    /**
     * Starts new words with the remaining high bits of values.
     *
     * @param written number of low bits, 1 to 32, that are in the previous words
     */
    private static void begin(int[] values, int base, int written, int[] words) {
        for (int i = 0; i < words.length; i++) {
            words[i] = (values[i] - base) >>> 1 >>> (written - 1);
        }
    }
}
