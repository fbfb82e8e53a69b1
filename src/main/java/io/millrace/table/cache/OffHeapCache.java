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
import org.jspecify.annotations.Nullable;

/**
 * A bounded map outside the heap, from a 64-bit number or some bytes to some bytes, of any size up to that of the disk;
 * the keys of one cache are all numbers, or all bytes. In memory, or in a mapped file, where it survives the process:
 * opening it again loads nothing.
 *
 * <p>Keys are spread over segments, by a seed of the cache's own: those who choose keys can't choose which ones go
 * together. Many threads may put, one at a time in each segment. Readers, each with a {@linkplain #reader reader} of
 * its own, take no lock, wait for nobody and allocate nothing: an entry is never changed in place, and a reader notices
 * if it was overwritten while it was read ({@link Segments}). Nor does a put allocate.
 *
 * <p>After {@code kill -9} all that was put is there; an entry that was being put, or that {@link Eviction#CLOCK} was
 * sparing, is there as a whole or not at all. After the machine went down, segments that have changed since the last
 * {@link #checkpoint} may be torn: they are found by their checksums, emptied, and counted in {@link CacheStatistics}.
 * A wrong value is never read.
 */
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
     * Opens a cache: the one in its file, or an empty one.
     *
     * @throws IOException if the file can't be mapped, or is not a cache with these options
     */
    public static OffHeapCache open(CacheOptions options) throws IOException {
        return open(options, SeededHash.random());
    }

    /**
     * Opens a cache: the one in its file, or an empty one that finds keys by this hash.
     *
     * @throws IOException if the file can't be mapped, or is not a cache with these options
     */
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
            throw new IOException(
                    file + " is no cache of these options and this version, or its header is damaged: delete it");
        }
        OffHeapCache cache = new OffHeapCache(memory, layout.withSeedOf(memory), true);
        cache.recover();
        return cache;
    }

    /** Makes a file that appears only with its header. */
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
        // Before anything is put: a machine that goes down must not leave puts under a header that says clean.
        memory.asSlice(0, CacheLayout.STATES_AT).force();
    }

    /** A reader for one thread, which should be kept: it counts for {@link #statistics} as long as the cache lives. */
    public CacheReader reader() {
        CacheReader reader = new CacheReader(memory, segments);
        readers.add(reader);
        return reader;
    }

    /**
     * Puts an entry; one with the same key is replaced.
     *
     * @return false where it is larger than a segment, or there is no room and {@link Eviction#NONE} is chosen
     * @throws IndexOutOfBoundsException where the bytes are not those of the array; nothing has changed then
     */
    public boolean put(long key, byte[] value, int at, int length) {
        return put(key, null, 0, 0, value, at, length);
    }

    /** Puts an entry whose key is some bytes. */
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

    /** Takes an entry out; tells whether it was there. */
    public boolean remove(long key) {
        return remove(key, null, 0, 0);
    }

    /** Takes an entry out whose key is some bytes; tells whether it was there. */
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

    /** Told of each value, segment by segment; writers of that segment wait meanwhile. */
    @FunctionalInterface
    public interface ValueVisitor {
        /**
         * Shows a value.
         *
         * @param memory where it lies
         * @param at its first byte
         * @param length in bytes
         */
        void value(MemorySegment memory, long at, int length);
    }

    /** Shows all values, each segment as of one moment. */
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

    /** How the cache fares; each number as of its own moment. */
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

    /** Bytes of memory, or of the file, that it takes. */
    public long bytes() {
        return memory.byteSize();
    }

    /**
     * Notes the checksums of all segments that have changed, and has the file written to disk: after the machine went
     * down, what was put since is lost at most. Writers of one segment at a time wait for its checksum.
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
     * Copies the cache to a file that can be opened as one, while it is written: each segment as of one moment, and the
     * file appears all at once.
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

    /** Has all written to disk and says so in the file. Nobody may put any more; who still reads may go on. */
    @Override
    public void close() {
        if (inFile) {
            checkpoint();
            CacheLayout.clean(memory, true);
            memory.force();
        }
    }
}
