package io.millrace.memory;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Allocates off-heap memory and maps files. Memory remains valid as long as it is reachable. It is never closed under a
 * reader, so any thread may read a segment even after a newer one has replaced it.
 *
 * <p>A mapped file must not be truncated: reading past its end throws an {@link InternalError}. Files are therefore
 * replaced, never truncated.
 */
public final class OffHeap {

    /** Alignment in bytes of all mapped or allocated memory. */
    public static final int ALIGNMENT = 64;

    private static final GcPressure PRESSURE = new GcPressure(System::gc);

    private OffHeap() {}

    /**
     * Returns zeroed memory that is freed when it becomes unreachable. It may request a garbage collection, which
     * detects unreachable memory. See {@link #allocate(Arena, long)} for large pages.
     */
    public static MemorySegment allocate(long bytes) {
        if (!isLarge(bytes)) {
            return Arena.ofAuto().allocate(bytes, ALIGNMENT);
        }
        PRESSURE.taking(bytes);
        try {
            return LargePages.map(Arena.ofAuto(), bytes, () -> PRESSURE.released(bytes));
        } catch (OutOfMemoryError e) {
            PRESSURE.released(bytes);
            throw e;
        }
    }

    /**
     * Returns zeroed memory that is not backed by a file. From the length of a large page on, it uses large pages where
     * the system has them, so that random reads cause fewer TLB misses. Their memory is allocated when first touched,
     * and does not count towards {@code -XX:MaxDirectMemorySize}. Otherwise the memory is that of
     * {@link Arena#allocate}.
     *
     * @param arena releases the memory when it is closed
     * @throws OutOfMemoryError if the system has no memory left
     * @throws IllegalStateException if the arena is closed
     */
    public static MemorySegment allocate(Arena arena, long bytes) {
        return isLarge(bytes) ? LargePages.map(arena, bytes, () -> {}) : arena.allocate(bytes, ALIGNMENT);
    }

    private static boolean isLarge(long bytes) {
        return bytes >= LargePages.SIZE && LargePages.available();
    }

    /**
     * Creates a file of zeros and maps it for writing. On most file systems it takes only the space that is written.
     *
     * @throws java.nio.file.FileAlreadyExistsException if the file exists
     */
    public static MemorySegment create(Path file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.SPARSE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            return channel.map(MapMode.READ_WRITE, 0, bytes, Arena.ofAuto());
        }
    }

    /** Maps a whole file for reading, without reading it. */
    public static MemorySegment open(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
        }
    }

    /**
     * Maps a whole file for reading and writing. Writes are visible to all processes that map the file, and are stored
     * in it.
     */
    public static MemorySegment openForWriting(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(MapMode.READ_WRITE, 0, channel.size(), Arena.ofAuto());
        }
    }
}
