package io.millrace.memory;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Makes memory outside the heap. What it makes lives until nothing refers to it any more: it is never closed under a
 * reader, so the holder of a segment may read it, in any thread, though a newer one has taken its place.
 *
 * <p>A mapped file must not be made shorter while it is mapped: reading past its end is an {@link InternalError}. Files
 * are therefore replaced by others, never cut.
 */
public final class OffHeap {

    /** All that is mapped or allocated begins at a multiple of this, in bytes. */
    public static final int ALIGNMENT = 64;

    private static final GcPressure PRESSURE = new GcPressure(System::gc);

    private OffHeap() {}

    /**
     * {@linkplain #allocate(Arena, long) Memory} that lives until nothing refers to it any more. Asks for a collection
     * now and then, so that it is found.
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
     * Zeroed memory that no file stands behind, in large pages where the system has them: a look-up at random then
     * seldom waits for the address of a page. Their memory is taken as they are first touched, beyond what
     * {@code -XX:MaxDirectMemorySize} limits. Elsewhere, or if it is less than one such page, it is as
     * {@link Arena#allocate} gives it.
     *
     * @param arena gives it back when it is closed
     * @throws OutOfMemoryError if the system has no more
     * @throws IllegalStateException if the arena is closed
     */
    static MemorySegment allocate(Arena arena, long bytes) {
        return isLarge(bytes) ? LargePages.map(arena, bytes, () -> {}) : arena.allocate(bytes, ALIGNMENT);
    }

    private static boolean isLarge(long bytes) {
        return bytes >= LargePages.SIZE && LargePages.available();
    }

    /**
     * A new file of zeros, mapped for writing; on most file systems it takes only as much room as is written.
     *
     * @throws java.nio.file.FileAlreadyExistsException if the file is there
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

    /** A whole file, mapped for reading. Reads nothing of it. */
    public static MemorySegment open(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
        }
    }

    /** A whole file, mapped for reading and writing: what is written there is seen by all who map it, and kept. */
    public static MemorySegment openForWriting(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(MapMode.READ_WRITE, 0, channel.size(), Arena.ofAuto());
        }
    }
}
