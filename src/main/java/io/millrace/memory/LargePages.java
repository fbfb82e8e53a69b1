package io.millrace.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Memory straight from Linux, in large pages where it has them: {@code mmap} and {@code madvise}. Thread-safe.
 *
 * <p>{@link Arena#allocate} writes zeros over all that it gives, so every page of it is there before anyone asks;
 * memory of {@code mmap} is zero too, but a page of it comes only when it is first touched, and one of 2 MB costs far
 * less than 512 of 4 KB.
 */
@SuppressWarnings("restricted") // lengths and places are those that the system itself was asked for
final class LargePages {

    /** Length and alignment of a large page, in bytes. */
    static final long SIZE = 2 << 20;

    private static final int PROT_READ_WRITE = 0x3;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    private static final int MADV_HUGEPAGE = 14;
    private static final int NO_FILE = -1;
    private static final long FAILED = -1;

    /** Null where the system is another one, or where this process may not call native functions. */
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

    /** Whether the system can be asked for such pages; if not, {@link #map} must not be called. */
    static boolean available() {
        return SYSTEM != null;
    }

    /**
     * Fresh memory that the arena gives back when it is closed. Its end is in small pages, where it fills no large one.
     *
     * @param released told after it was given back
     * @throws OutOfMemoryError if the system has no more
     * @throws IllegalStateException if the arena is closed
     */
    static MemorySegment map(Arena arena, long bytes, Runnable released) {
        if (SYSTEM == null) {
            throw new IllegalStateException("no large pages on this system");
        }
        if (!arena.scope().isAlive()) {
            throw new IllegalStateException("the arena is closed"); // before there is a mapping that nobody owns
        }
        return SYSTEM.mapAligned(arena, bytes, released);
    }

    private MemorySegment mapAligned(Arena arena, long bytes, Runnable released) {
        // A page more than asked for, so that there is a multiple of the page's length to begin at.
        long whole = Math.addExact(bytes, SIZE);
        MemorySegment start = mmap(whole);
        if (start.address() == FAILED) {
            throw new OutOfMemoryError("mmap of " + whole + " bytes failed");
        }
        MemorySegment mapped = start.reinterpret(whole, arena, memory -> {
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

    /** A kernel without large pages answers with an error; the memory is as good in small ones. */
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

    /** A function of C throws nothing. */
    private static AssertionError unexpected(Throwable e) {
        return new AssertionError(e);
    }
}
