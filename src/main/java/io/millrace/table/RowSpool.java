package io.millrace.table;

import io.millrace.memory.OffHeap;
import io.millrace.memory.OffHeapRecords;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are to be written to a table, in the order of the source, each with its line. The rows are outside the
 * heap, in memory or in unlinked files, whose space the operating system frees once they are unmapped. Not thread-safe.
 */
final class RowSpool {

    private static final long FIRST_CHUNK_BYTES = 1 << 16;
    private static final long LARGEST_CHUNK_BYTES = 64 << 20;

    private final int rowLength;
    private final @Nullable Path sibling;
    private final byte[] cell;
    private final List<OffHeapRecords> chunks = new ArrayList<>();
    private long usedInLast;
    private long count;

    /** @param sibling a file whose folder has enough space; null to store the rows in memory */
    RowSpool(int rowLength, @Nullable Path sibling) {
        this.rowLength = rowLength;
        this.sibling = sibling;
        this.cell = new byte[Long.BYTES + rowLength];
    }

    /** Receives each row. */
    @FunctionalInterface
    interface RowVisitor {
        /** Receives a row; the array is valid until the call returns. */
        void row(long line, byte[] row);
    }

    void add(long line, byte[] row) throws IOException {
        if (chunks.isEmpty() || usedInLast == chunks.getLast().count()) {
            chunks.add(chunk());
            usedInLast = 0;
        }
        System.arraycopy(row, 0, cell, Long.BYTES, rowLength);
        chunks.getLast().put(usedInLast, cell, 0);
        chunks.getLast().putLong(usedInLast++, 0, line);
        count++;
    }

    private OffHeapRecords chunk() throws IOException {
        long wanted = Math.min(FIRST_CHUNK_BYTES << Math.min(chunks.size(), 16), LARGEST_CHUNK_BYTES);
        long bytes = Math.max(wanted, cell.length);
        return new OffHeapRecords(sibling == null ? OffHeap.allocate(bytes) : unnamed(sibling, bytes), cell.length);
    }

    private MemorySegment unnamed(Path file, long bytes) throws IOException {
        Path chunk = file.resolveSibling("." + file.getFileName() + ".rows" + chunks.size());
        Files.deleteIfExists(chunk);
        try {
            return OffHeap.create(chunk, bytes);
        } finally {
            Files.deleteIfExists(chunk);
        }
    }

    long count() {
        return count;
    }

    /** Visits all rows in order. */
    void forEach(RowVisitor visitor) {
        byte[] row = new byte[rowLength];
        byte[] whole = new byte[cell.length];
        for (OffHeapRecords chunk : chunks) {
            long used = chunk == chunks.getLast() ? usedInLast : chunk.count();
            for (long i = 0; i < used; i++) {
                chunk.get(i, whole, 0);
                System.arraycopy(whole, Long.BYTES, row, 0, rowLength);
                visitor.row(chunk.getLong(i, 0), row);
            }
        }
    }
}
