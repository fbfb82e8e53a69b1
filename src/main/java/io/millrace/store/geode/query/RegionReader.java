package io.millrace.store.geode.query;

import io.millrace.store.block.BlockChecks;
import io.millrace.store.block.BlockFormatException;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.region.LocalValues;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.geode.region.StoredBlock;
import io.millrace.store.query.Migration;
import io.millrace.store.region.BlockKey;
import io.millrace.store.region.EntryVersions;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.RegionInfo;
import io.millrace.store.region.RegionTotals;
import io.millrace.store.scan.AggregatePart;
import io.millrace.store.scan.AggregateScan;
import io.millrace.store.scan.KeyLookup;
import io.millrace.store.scan.MigrationScan;
import io.millrace.store.scan.QueryPart;
import io.millrace.store.scan.QueryScan;
import io.millrace.store.scan.ValueScan;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.geode.cache.execute.FunctionInvocationTargetException;
import org.apache.geode.internal.cache.BucketRegion;
import org.jspecify.annotations.Nullable;

/**
 * Reads the data of a region in this process, while other threads write it; concurrent puts may or may not be visible.
 * Returns a part of an answer only if this member hosted all of its buckets from the beginning to the end. Thread-safe.
 */
final class RegionReader {

    /** Entries read at a time. More would not be faster, and a partial scan ends only in between. */
    private static final int RANGE_ENTRIES = 1024;

    private final RegionDefinition definition;
    private final BlockChecks checks;
    private final OpenRegion whole;
    private final Buckets buckets;

    /**
     * @param whole region
     * @param buckets to read
     */
    RegionReader(OpenRegion whole, Buckets buckets) {
        this.whole = whole;
        this.definition = whole.definition();
        this.checks = whole.checks();
        this.buckets = buckets;
    }

    /** Returns a reader of a region whose data is entirely in this process. */
    static RegionReader whole(OpenRegion whole) {
        return new RegionReader(whole, Buckets.all(whole.region()));
    }

    RegionDefinition definition() {
        return definition;
    }

    /**
     * Requires that a query was compiled for the version of the schema that this member reads with.
     *
     * @throws StoreException if it was compiled for an earlier version
     * @throws FunctionInvocationTargetException if this member does not know its version yet
     */
    void requireSchema(long fingerprint) {
        if (definition.schema().fingerprint() == fingerprint) {
            return;
        }
        String hex = HexFormat.of().toHexDigits(fingerprint);
        boolean earlier = definition.history().stream()
                .anyMatch(version -> version.fingerprint().equals(hex));
        String what = "Region '" + definition.name() + "' is read with version "
                + (definition.history().size() + 1) + " of its schema";
        if (earlier) {
            throw new StoreException(what + ", and the query was begun with an earlier one. Repeat the query.");
        }
        throw new FunctionInvocationTargetException(what + ", and the query was begun with another one.");
    }

    /**
     * Runs a query in a partial scan.
     *
     * @param limit maximum number of records
     * @param cursors at which the partial scan begins
     * @param budget of the partial scan
     */
    PartialScan<QueryPart> find(QueryScan scan, long limit, BucketCursors cursors, ScanBudget budget) {
        scan.begin(limit, budget.bytes());
        return partialScan(() -> scan(scan, cursors, budget), scan::part);
    }

    /** Runs an aggregate query in a partial scan, as {@link #find}. */
    PartialScan<AggregatePart> aggregates(AggregateScan scan, BucketCursors cursors, ScanBudget budget) {
        scan.reset();
        return partialScan(() -> scan(scan, cursors, budget), scan::part);
    }

    /** Rewrites values of earlier versions of the schema in a partial scan, as {@link #find}. */
    PartialScan<Migration> migrate(BucketCursors cursors, ScanBudget budget) {
        MigrationScan scan = new MigrationScan(definition, whole::replace);
        return partialScan(() -> scan(scan, cursors, budget), scan::part);
    }

    /**
     * Reads, and returns the part only if this member hosted all buckets throughout: otherwise it may lack some of
     * their records.
     */
    private <P extends Serializable> PartialScan<P> partialScan(Supplier<BucketCursors> reading, Supplier<P> part) {
        PartialScan<P> read;
        try {
            BucketCursors cursors = reading.get();
            read = new PartialScan<>(part.get(), cursors, buckets.total());
        } catch (RuntimeException e) {
            if (buckets.stayed()) {
                throw e;
            }
            return PartialScan.none(buckets.total());
        }
        return buckets.stayed() ? read : PartialScan.none(buckets.total());
    }

    /** Returns cursors by which all buckets are done. */
    private BucketCursors all() {
        return new BucketCursors(
                buckets.numbers().stream().collect(Collectors.toMap(number -> number, _ -> BucketCursors.DONE)));
    }

    /** Returns the definition of the region. */
    PartialScan<RegionDefinition> described() {
        return partialScan(this::all, () -> definition);
    }

    /**
     * Returns the totals of the region on this member.
     *
     * @param cursors buckets that are done were already counted
     */
    PartialScan<RegionTotals> totals(BucketCursors cursors) {
        return partialScan(this::all, () -> count(cursors));
    }

    private RegionTotals count(BucketCursors cursors) {
        long entries = 0;
        long records = 0;
        long bytes = 0;
        if (definition.layout() == Layout.ENTRIES) {
            entries = buckets.held().stream()
                    .filter(bucket -> !cursors.isDone(bucket.getId()))
                    .mapToLong(BucketRegion::size)
                    .sum();
            records = entries;
            bytes = Math.round(entries * meanLength());
        } else {
            for (long key : blockKeys(cursors)) {
                StoredBlock block = whole.blocks().of(key);
                if (block != null) {
                    entries++;
                    records += block.records();
                    bytes += block.bytes();
                }
            }
        }
        boolean first = buckets.numbers().stream().noneMatch(cursors::isDone);
        return new RegionTotals(entries, records, bytes, first ? whole.expired() : 0);
    }

    /**
     * Returns the mean size of a value in bytes. If sizes vary, this is an estimate from the first values of each
     * bucket, which are a random sample.
     */
    private double meanLength() {
        OptionalInt length = EntryVersions.of(definition).entryLength();
        if (length.isPresent()) {
            return length.getAsInt();
        }
        LongSummaryStatistics lengths = new LongSummaryStatistics();
        for (BucketRegion bucket : buckets.held()) {
            whole.values().read(bucket, 0, RegionInfo.MAX_MEASURED, (_, value) -> lengths.accept(value.length));
            if (lengths.getCount() >= RegionInfo.MAX_MEASURED) {
                break;
            }
        }
        return lengths.getAverage();
    }

    /** Returns the value of an entry, as all of the answer. */
    PartialScan<FoundRecord> entry(Object key) {
        if (!buckets.stayed()) { // the read would wait for the lease
            return PartialScan.none(1);
        }
        // Counts as use of the value, which the reads of queries do not.
        PartialScan<FoundRecord> found =
                partialScan(this::all, () -> new FoundRecord(0, whole.all().get(key)));
        return new PartialScan<>(found.part(), found.reached(), 1);
    }

    /**
     * Returns the last record of a key: scans the blocks as stored, from the last one on.
     *
     * @param key as text
     * @param cursors buckets that are done were already scanned
     */
    PartialScan<FoundRecord> last(String key, BucketCursors cursors) {
        KeyLookup lookup = KeyLookup.of(definition, key);
        return partialScan(this::all, () -> last(lookup, blockKeys(cursors)));
    }

    private FoundRecord last(KeyLookup lookup, long[] keys) {
        for (int i = keys.length - 1; i >= 0; i--) {
            byte[] block = whole.values().read(keys[i]);
            try {
                byte[] found = block == null ? null : lookup.find(keys[i], block, checks);
                if (found != null) {
                    return new FoundRecord(keys[i], found);
                }
            } catch (BlockFormatException e) {
                throw damaged(keys[i], String.valueOf(e.getMessage()), e);
            }
        }
        return FoundRecord.NONE;
    }

    /**
     * Passes values to the scan from the cursors on, blocks by ascending key, until it has enough or the time is over.
     */
    private BucketCursors scan(ValueScan scan, BucketCursors cursors, ScanBudget budget) {
        long start = System.nanoTime();
        BooleanSupplier over = () -> !scan.wanted() || scan.full() || System.nanoTime() - start >= budget.nanos();
        return definition.layout() == Layout.ENTRIES
                ? scanEntries(scan, cursors, entries(budget), over)
                : scanBlocks(scan, cursors, over);
    }

    /** Returns about how many entries to read at a time: not more than fill the budget if all of them match. */
    private int entries(ScanBudget budget) {
        return Math.clamp(budget.bytes() / Math.max(1, definition.schema().recordLength()), 1, RANGE_ENTRIES);
    }

    private BucketCursors scanBlocks(ValueScan scan, BucketCursors cursors, BooleanSupplier over) {
        long[] keys = blockKeys(cursors);
        int next = 0;
        while (next < keys.length && (next == 0 || !over.getAsBoolean())) {
            long key = keys[next++];
            byte[] block = whole.values().read(key);
            if (block != null) {
                try {
                    scan.block(key, block, checks);
                } catch (BlockFormatException e) {
                    throw damaged(key, String.valueOf(e.getMessage()), e);
                }
            }
        }
        long cursor = next == keys.length ? BucketCursors.DONE : keys[next - 1];
        Map<Integer, Long> nextCursors = new HashMap<>();
        for (int bucket : buckets.numbers()) {
            // If another member hosted the bucket before, it may have advanced further in it.
            Long before = cursors.of(bucket);
            nextCursors.put(bucket, before == null ? cursor : Math.max(before, cursor));
        }
        return new BucketCursors(nextCursors);
    }

    /** Scans bucket by bucket, each range by range, but at least one range. */
    private BucketCursors scanEntries(ValueScan scan, BucketCursors cursors, int entries, BooleanSupplier over) {
        Map<Integer, Long> nextCursors = new HashMap<>();
        boolean begun = false;
        for (BucketRegion bucket : buckets.held()) {
            Long cursor = cursors.of(bucket.getId());
            long place = cursor == null ? 0 : cursor;
            while (place < LocalValues.END && !(begun && over.getAsBoolean())) {
                place = whole.values().read(bucket, place, entries, (key, value) -> {
                    if (scan.wanted()) {
                        scan.entry(key, value);
                    }
                });
                scan.flush();
                begun = true;
            }
            nextCursors.put(bucket.getId(), place < LocalValues.END ? place : BucketCursors.DONE);
        }
        return new BucketCursors(nextCursors);
    }

    /** Returns the keys of all blocks behind the cursors, ascending. */
    private long[] blockKeys(BucketCursors cursors) {
        LongArrayList keys = new LongArrayList();
        for (BucketRegion bucket : buckets.held()) {
            if (cursors.isDone(bucket.getId())) {
                continue;
            }
            Long cursor = cursors.of(bucket.getId());
            whole.values().each(bucket, (key, _) -> {
                if (cursor == null || (long) key > cursor) {
                    keys.add((long) key);
                }
            });
        }
        long[] sorted = keys.toLongArray();
        Arrays.sort(sorted);
        return sorted;
    }

    private StoreException damaged(long key, String what, @Nullable BlockFormatException cause) {
        return new StoreException(
                "Corrupt value in region '" + definition.name() + "', key " + BlockKey.format(key) + ": " + what,
                cause);
    }
}
