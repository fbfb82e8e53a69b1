package io.millrace.table.cache;

import io.millrace.codec.Counter;
import io.millrace.hash.SeededHash;
import io.millrace.memory.OffHeap;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A bounded map outside the heap. Keys are 64-bit numbers or byte sequences, but not both in one cache; values are byte
 * sequences. The cache is in memory or in a mapped file, of any size up to that of the disk. A cache in a file survives
 * the process: opening it again loads nothing.
 *
 * <p>A hash with a random seed of each cache spreads keys over segments, so that nobody can choose keys that collide.
 * Many threads can put entries, one at a time in each segment. Each reading thread has its own {@linkplain #reader
 * reader}. Readers take no lock and never wait: an entry is never changed in place, and a reader detects when an entry
 * was overwritten while it was read ({@link Segments}). Reads and puts allocate nothing.
 *
 * <p>After {@code kill -9}, the file contains all entries that were put. An entry that was being put, or that
 * {@link Eviction#CLOCK} was moving, is either complete or absent. After a machine crash, segments that changed since
 * the last {@link #checkpoint} may be torn. Opening the file finds them by their checksums, empties them, and counts
 * them in {@link CacheStatistics}. A wrong value is never returned.
 */
@API(status = API.Status.STABLE)
public final class OffHeapCache implements AutoCloseable {

    private final MemorySegment memory;
    private final CacheLayout layout;
    private final Segments segments;
    private final SegmentWriter writer;
    private final SegmentChecks checks;
    private final boolean inFile;
    private final ReentrantLock[] locks;
    private final List<CacheReader> readers = new CopyOnWriteArrayList<>();
    private final LongAdder puts = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private int repaired;
    private int dropped;
    private long lost;

    private OffHeapCache(MemorySegment memory, CacheLayout layout, boolean inFile) {
        this.memory = memory;
        this.layout = layout;
        this.segments = new Segments(memory, layout);
        this.writer = new SegmentWriter(segments, memory, layout);
        this.checks = new SegmentChecks(segments, memory, layout);
        this.inFile = inFile;
        this.locks = new ReentrantLock[layout.segments()];
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    /**
     * Opens the cache in the file, or creates an empty one.
     *
     * @throws IOException if the file can't be mapped, or is not a cache with these options
     */
    public static OffHeapCache open(CacheOptions options) throws IOException {
        return open(options, SeededHash.random());
    }

    /**
     * Opens the cache in the file, or creates an empty one that uses the given hash.
     *
     * @throws IOException if the file can't be mapped, or is not a cache with these options
     */
    @API(status = API.Status.INTERNAL)
    public static OffHeapCache open(CacheOptions options, SeededHash hash) throws IOException {
        CacheLayout layout = CacheLayout.of(options, hash);
        Path file = options.file();
        if (file == null) {
            return new OffHeapCache(OffHeap.allocate(layout.length()), layout, false);
        }
        if (Files.notExists(file)) {
            return new OffHeapCache(create(file, layout), layout, true);
        }
        MemorySegment memory = OffHeap.openForWriting(file);
        if (!layout.isIn(memory)) {
            throw new IOException("Invalid cache '" + file
                    + "': it has other options or another version, or its header is corrupt." + " Delete it.");
        }
        OffHeapCache cache = new OffHeapCache(memory, layout.withSeedOf(memory), true);
        cache.recover();
        return cache;
    }

    /** Creates a file that appears under its name only with a complete header. */
    private static MemorySegment create(Path file, CacheLayout layout) throws IOException {
        Path part = part(file);
        Files.deleteIfExists(part);
        MemorySegment memory = OffHeap.create(part, layout.length());
        layout.write(memory);
        CacheLayout.ofThisBoot(memory);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        return memory;
    }

    private static Path part(Path file) {
        return file.resolveSibling("." + file.getFileName() + ".part");
    }

    private void recover() {
        boolean pagesKept = CacheLayout.isOfThisBoot(memory);
        if (!CacheLayout.isClean(memory)) {
            for (int segment = 0; segment < layout.segments(); segment++) {
                if (!pagesKept && !checks.isUnchanged(segment)) {
                    lost += checks.drop(segment);
                    dropped++;
                } else if (checks.isTorn(segment)) {
                    checks.repair(segment);
                    repaired++;
                }
            }
        }
        CacheLayout.clean(memory, false);
        CacheLayout.ofThisBoot(memory);
        // Before the first put: a machine crash must not leave changed segments under a header that is marked clean.
        memory.asSlice(0, CacheLayout.STATES_AT).force();
    }

    /**
     * Returns a reader for one thread. Reuse it: each reader is retained for {@link #statistics} as long as the cache
     * lives.
     */
    public CacheReader reader() {
        CacheReader reader = new CacheReader(memory, segments);
        readers.add(reader);
        return reader;
    }

    /**
     * Puts an entry, which replaces one with the same key.
     *
     * @return false if the entry is larger than a segment, or if there is no space and {@link Eviction#NONE} is set
     * @throws IndexOutOfBoundsException if the range is not within the array; the cache is unchanged then
     */
    public boolean put(long key, byte[] value, int at, int length) {
        return put(key, null, 0, 0, value, at, length);
    }

    /** Puts an entry whose key is a byte sequence. */
    public boolean put(byte[] key, int keyAt, int keyLength, byte[] value, int at, int length) {
        Objects.checkFromIndexSize(keyAt, keyLength, key.length);
        return put(segments.hash(key, keyAt, keyLength), key, keyAt, keyLength, value, at, length);
    }

    private boolean put(
            long key, byte @Nullable [] keyBytes, int keyAt, int keyLength, byte[] value, int at, int length) {
        Objects.checkFromIndexSize(at, length, value.length);
        int segment = segments.segment(key);
        ReentrantLock lock = locks[segment];
        boolean done;
        lock.lock();
        try {
            done = writer.put(segment, key, keyBytes, keyAt, keyLength, value, at, length);
        } finally {
            lock.unlock();
        }
        (done ? puts : refused).increment();
        return done;
    }

    /** Removes an entry; returns whether it was present. */
    public boolean remove(long key) {
        return remove(key, null, 0, 0);
    }

    /** Removes an entry whose key is a byte sequence; returns whether it was present. */
    public boolean remove(byte[] key, int at, int length) {
        return remove(segments.hash(key, at, length), key, at, length);
    }

    private boolean remove(long key, byte @Nullable [] keyBytes, int keyAt, int keyLength) {
        int segment = segments.segment(key);
        ReentrantLock lock = locks[segment];
        lock.lock();
        try {
            return writer.remove(segment, key, keyBytes, keyAt, keyLength);
        } finally {
            lock.unlock();
        }
    }

    /** Visits values segment by segment. Writers of that segment wait meanwhile. */
    @FunctionalInterface
    public interface ValueVisitor {
        /**
         * Visits a value.
         *
         * @param memory memory that contains the value
         * @param at offset of its first byte
         * @param length in bytes
         */
        void value(MemorySegment memory, long at, int length);
    }

    /** Visits all values. Each segment is seen at one point in time. */
    public void forEach(ValueVisitor visitor) {
        for (int i = 0; i < layout.segments(); i++) {
            int segment = i;
            locks[segment].lock();
            try {
                segments.forEach(segment, place -> {
                    long at = segments.at(segment, place);
                    visitor.value(
                            memory,
                            at + Entry.HEADER_BYTES + Entry.keyLength(memory, at),
                            Entry.valueLength(memory, at));
                });
            } finally {
                locks[segment].unlock();
            }
        }
    }

    /** Returns the cache's metrics. They are not a consistent snapshot. */
    public CacheStatistics statistics() {
        long entries = 0;
        long used = 0;
        long evictions = 0;
        for (int segment = 0; segment < layout.segments(); segment++) {
            entries += segments.entries(segment);
            used += segments.used(segment);
            evictions += segments.evictions(segment);
        }
        return new CacheStatistics(
                entries,
                layout.segments() * layout.areaBytes(),
                used,
                readers.stream().map(CacheReader::hits).mapToLong(Counter::get).sum(),
                readers.stream()
                        .map(CacheReader::misses)
                        .mapToLong(Counter::get)
                        .sum(),
                puts.sum(),
                refused.sum(),
                evictions,
                repaired,
                dropped,
                lost);
    }

    /** Returns the size of the memory or file in bytes. */
    public long bytes() {
        return memory.byteSize();
    }

    /**
     * Stores the checksums of all segments that have changed, and writes the file to disk. After a machine crash, at
     * most the entries put since then are lost. Writers of a segment wait while its checksum is computed.
     */
    public void checkpoint() {
        for (int segment = 0; segment < layout.segments(); segment++) {
            locks[segment].lock();
            try {
                checks.check(segment);
            } finally {
                locks[segment].unlock();
            }
        }
        if (inFile) {
            memory.force();
        }
    }

    /**
     * Copies the cache to a file that can be opened as a cache, while writers continue. Each segment is copied at one
     * point in time. The file is created atomically.
     */
    public void snapshot(Path file) throws IOException {
        Path part = part(file);
        Files.deleteIfExists(part);
        try {
            MemorySegment copy = OffHeap.create(part, memory.byteSize());
            layout.write(copy);
            CacheLayout.ofThisBoot(copy);
            SegmentChecks copied = new SegmentChecks(new Segments(copy, layout), copy, layout);
            for (int segment = 0; segment < layout.segments(); segment++) {
                locks[segment].lock();
                try {
                    checks.copy(segment, copy);
                } finally {
                    locks[segment].unlock();
                }
                copied.check(segment);
            }
            CacheLayout.clean(copy, true);
            copy.force();
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** Writes all entries to disk and marks the file as clean. Put no more entries afterwards; readers can continue. */
    @Override
    public void close() {
        if (inFile) {
            checkpoint();
            CacheLayout.clean(memory, true);
            memory.force();
        }
    }
}
