package daybook;

import io.millrace.memory.OffHeap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Off-heap memory that is allocated piece by piece and released only as a whole, for stores that only grow.
 *
 * <p>It reserves memory from the system in chunks, each as long as all earlier ones together, up to
 * {@value #LONGEST_STRETCH} bytes. A page of a chunk takes memory only when it is first written. After {@link #clear}
 * the same pages are reused, so the second day takes no new ones.
 *
 * <p>One thread takes, clears and closes. Any thread may read a piece.
 */
public final class AppendOnlyMemory implements AutoCloseable {

    /** Maximum length in bytes of a piece, and length of the largest chunks. */
    public static final long LONGEST_STRETCH = 64 << 20;

    private static final long LARGE_PAGE = 2 << 20;

    private final Arena arena = Arena.ofShared();
    private final List<MemorySegment> chunks = new ArrayList<>();
    private int current = -1;
    private long usedInCurrent;
    private long taken;
    private long reserved;

    /**
     * Returns the next piece, aligned to {@link OffHeap#ALIGNMENT}. Its content is undefined: after {@link #clear} it
     * contains earlier data.
     *
     * @param bytes length, at most {@link #LONGEST_STRETCH}
     * @throws OutOfMemoryError if the system has no memory left
     * @throws IllegalStateException if this memory is closed
     */
    public MemorySegment take(long bytes) {
        if (bytes < 0 || bytes > LONGEST_STRETCH) {
            throw new IllegalArgumentException(
                    "Invalid length '" + bytes + "'. Use 0 to " + LONGEST_STRETCH + " bytes.");
        }
        while (current < 0 || bytes > chunks.get(current).byteSize() - usedInCurrent) {
            if (current + 1 == chunks.size()) {
                add(bytes);
            }
            current++;
            usedInCurrent = 0;
        }
        MemorySegment piece = chunks.get(current).asSlice(usedInCurrent, bytes);
        usedInCurrent = roundUp(usedInCurrent + bytes, OffHeap.ALIGNMENT);
        taken += bytes;
        return piece;
    }

    /** Makes all memory available again. Earlier pieces remain readable, but will be overwritten. */
    public void clear() {
        current = -1;
        usedInCurrent = 0;
        taken = 0;
    }

    /** Returns the bytes taken since creation or the last {@link #clear}. */
    public long taken() {
        return taken;
    }

    /** Returns the bytes of reserved address space. Pages that were never written take no memory. */
    public long reserved() {
        return reserved;
    }

    /** Releases all memory to the system. Reading a piece afterwards throws an {@link IllegalStateException}. */
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    private void add(long atLeast) {
        long bytes = roundUp(Math.max(atLeast, Math.min(reserved, LONGEST_STRETCH)), LARGE_PAGE);
        chunks.add(OffHeap.allocate(arena, bytes));
        reserved += bytes;
    }

    private static long roundUp(long bytes, long multiple) {
        return (bytes + multiple - 1) & -multiple;
    }
}
