package io.millrace.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory outside the heap that is given out piece after piece, and given back only all at once: what a store that only
 * grows lies in.
 *
 * <p>It comes from the system in stretches, each as long as all before it together, up to {@value #LONGEST_STRETCH}
 * bytes; a page of one is there when it is first written. After {@link #clear} the same pages are given out again, so
 * the second day costs no new ones.
 *
 * <p>One thread takes, clears and closes; the receiver of a piece may read it in any thread.
 */
public final class AppendOnlyMemory implements AutoCloseable {

    /** The most that can be taken at once, in bytes. */
    public static final long LONGEST_STRETCH = 64 << 20;

    private final Arena arena = Arena.ofShared();
    private final List<MemorySegment> stretches = new ArrayList<>();
    private int current = -1;
    private long usedOfCurrent;
    private long taken;
    private long reserved;

    /**
     * The next piece, beginning at a multiple of {@link OffHeap#ALIGNMENT}. What it holds is anything: after
     * {@link #clear}, what was there before.
     *
     * @param bytes at most {@link #LONGEST_STRETCH}
     * @throws OutOfMemoryError if the system has no more
     * @throws IllegalStateException if it is closed
     */
    public MemorySegment take(long bytes) {
        if (bytes < 0 || bytes > LONGEST_STRETCH) {
            throw new IllegalArgumentException("not from 0 to " + LONGEST_STRETCH + " bytes: bytes=" + bytes);
        }
        while (current < 0 || bytes > stretches.get(current).byteSize() - usedOfCurrent) {
            if (current + 1 == stretches.size()) {
                add(bytes);
            }
            current++;
            usedOfCurrent = 0;
        }
        MemorySegment piece = stretches.get(current).asSlice(usedOfCurrent, bytes);
        usedOfCurrent = roundUp(usedOfCurrent + bytes, OffHeap.ALIGNMENT);
        taken += bytes;
        return piece;
    }

    /** Gives all of it out anew. Pieces that were handed out stay readable, but others will write there. */
    public void clear() {
        current = -1;
        usedOfCurrent = 0;
        taken = 0;
    }

    /** Bytes that were taken since the beginning or the last {@link #clear}. */
    public long taken() {
        return taken;
    }

    /** Bytes of address space that it has from the system; pages that were never written take no memory. */
    public long reserved() {
        return reserved;
    }

    /** Releases all memory to the system; reading a piece afterwards throws an {@link IllegalStateException}. */
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    private void add(long atLeast) {
        long bytes = roundUp(Math.max(atLeast, Math.min(reserved, LONGEST_STRETCH)), LargePages.SIZE);
        stretches.add(OffHeap.allocate(arena, bytes));
        reserved += bytes;
    }

    private static long roundUp(long bytes, long multiple) {
        return (bytes + multiple - 1) & -multiple;
    }
}
