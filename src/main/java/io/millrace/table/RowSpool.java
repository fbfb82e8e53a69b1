package io.millrace.table;

import io.millrace.memory.OffHeap;
import io.millrace.memory.PackedRecords;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows on their way into a table, in the order of the source, each with its line: outside the heap, in memory or in
 * files that are gone as soon as nobody has them mapped. Not thread-safe.
 */
final class RowSpool {

    private static final long FIRST_CHUNK_BYTES = 1 << 16;
    private static final long LARGEST_CHUNK_BYTES = 64 << 20;

    private final int rowLength;
    private final @Nullable Path beside;
    private final byte[] cell;
    private final List<PackedRecords> chunks = new ArrayList<>();
    private long usedInLast;
    private long count;

    /** @param beside a file in whose folder there is room; null to keep the rows in memory */
    RowSpool(int rowLength, @Nullable Path beside) {
        this.rowLength = rowLength;
        this.beside = beside;
        this.cell = new byte[Long.BYTES + rowLength];
    }

    /** Told of each row. */
    @FunctionalInterface
    interface RowVisitor {
        /** Shows a row, whose bytes are good until the call returns. */
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

    private PackedRecords chunk() throws IOException {
        long wanted = Math.min(FIRST_CHUNK_BYTES << Math.min(chunks.size(), 16), LARGEST_CHUNK_BYTES);
        long bytes = Math.max(wanted, cell.length);
        return new PackedRecords(beside == null ? OffHeap.allocate(bytes) : unnamed(beside, bytes), cell.length);
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

    /** How many rows there are. */
    long count() {
        return count;
    }

    /** Shows all rows, in order. */
    void forEach(RowVisitor visitor) {
        byte[] row = new byte[rowLength];
        byte[] whole = new byte[cell.length];
        for (PackedRecords chunk : chunks) {
            long used = chunk == chunks.getLast() ? usedInLast : chunk.count();
            for (long i = 0; i < used; i++) {
                chunk.get(i, whole, 0);
                System.arraycopy(whole, Long.BYTES, row, 0, rowLength);
                visitor.row(chunk.getLong(i, 0), row);
            }
        }
    }
}
