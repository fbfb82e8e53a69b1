package io.millrace.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Allocates memory from Linux by {@code mmap} and {@code madvise}, in large pages where available. Thread-safe.
 *
 * <p>{@link Arena#allocate} writes zeros to all memory that it returns, so that every page is allocated at once. Memory
 * from {@code mmap} is zero too, but a page is allocated when it is first touched, and a page of 2 MB costs far less
 * than 512 pages of 4 KB.
 */
@SuppressWarnings("restricted") // segments have the addresses and lengths of mappings that this class made
final class LargePages {

    /** Length and alignment of a large page in bytes. */
    static final long SIZE = 2 << 20;

    private static final int PROT_READ_WRITE = 0x3;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    private static final int MADV_HUGEPAGE = 14;
    private static final int NO_FILE = -1;
    private static final long FAILED = -1;

    /** Null if the operating system is not Linux, or if this process may not call native functions. */
    private static final @Nullable LargePages SYSTEM = load();

    private final MethodHandle mmap;
    private final MethodHandle madvise;
    private final MethodHandle munmap;

    private LargePages(Linker linker) {
        mmap = handle(
                linker,
                "mmap",
                FunctionDescriptor.of(
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG));
        madvise = handle(
                linker,
                "madvise",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
        munmap = handle(
                linker,
                "munmap",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
    }

    /** Returns whether {@link #map} may be called. */
    static boolean available() {
        return SYSTEM != null;
    }

    /**
     * Returns zeroed memory that the arena releases when it is closed. The rest after the last complete large page is
     * in small pages.
     *
     * @param released called after the memory was released
     * @throws OutOfMemoryError if the system has no memory left
     * @throws IllegalStateException if the arena is closed
     */
    static MemorySegment map(Arena arena, long bytes, Runnable released) {
        if (SYSTEM == null) {
            throw new IllegalStateException("Large pages are not available on this system.");
        }
        if (!arena.scope().isAlive()) {
            throw new IllegalStateException("The arena is closed."); // checked before mapping, so that no mapping leaks
        }
        return SYSTEM.mapAligned(arena, bytes, released);
    }

    private MemorySegment mapAligned(Arena arena, long bytes, Runnable released) {
        // One page more than requested, so that the range contains an aligned one of the requested length.
        long mappedLength = Math.addExact(bytes, SIZE);
        MemorySegment start = mmap(mappedLength);
        if (start.address() == FAILED) {
            throw new OutOfMemoryError("Unable to map " + mappedLength + " bytes.");
        }
        MemorySegment mapped = start.reinterpret(mappedLength, arena, memory -> {
            unmap(memory);
            released.run();
        });
        MemorySegment aligned = mapped.asSlice(-start.address() & (SIZE - 1), bytes);
        advise(aligned);
        return aligned;
    }

    private MemorySegment mmap(long bytes) {
        try {
            return (MemorySegment)
                    mmap.invokeExact(MemorySegment.NULL, bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, NO_FILE, 0L);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * Requests large pages. A kernel without them returns an error, which is ignored: the memory then has small pages.
     */
    private void advise(MemorySegment memory) {
        try {
            int ignored = (int) madvise.invokeExact(memory, memory.byteSize(), MADV_HUGEPAGE);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private void unmap(MemorySegment memory) {
        try {
            int ignored = (int) munmap.invokeExact(memory, memory.byteSize());
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static @Nullable LargePages load() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return null;
        }
        try {
            return new LargePages(Linker.nativeLinker());
        } catch (IllegalCallerException | UnsupportedOperationException e) {
            return null;
        }
    }

    private static MethodHandle handle(Linker linker, String name, FunctionDescriptor type) {
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
    }

    /** C functions throw no exceptions. */
    private static AssertionError unexpected(Throwable e) {
        return new AssertionError(e);
    }
}
