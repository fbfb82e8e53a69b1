package io.millrace.store.geode;

import io.millrace.store.AggregatePart;
import io.millrace.store.AggregateScan;
import io.millrace.store.BlockChecks;
import io.millrace.store.BlockFormatException;
import io.millrace.store.BlockKey;
import io.millrace.store.KeyLookup;
import io.millrace.store.Layout;
import io.millrace.store.QueryPart;
import io.millrace.store.QueryScan;
import io.millrace.store.RecordScan;
import io.millrace.store.RegionDefinition;
import io.millrace.store.RegionInfo;
import io.millrace.store.RegionTotals;
import io.millrace.store.StoreException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;

/**
 * Reads the data of a region that are in this process, while others write them; what is put meanwhile may or may not be
 * seen. A part of an answer is only given where this member had all of its buckets from the beginning to the end.
 * Thread-safe.
 */
final class RegionReader {

    /** More at once would make a stretch of many entries too long. */
    private static final int MOST_ENTRIES = 1 << 20;

    private final RegionDefinition definition;
    private final BlockChecks checks;
    private final OpenRegion whole;
    private final Region<Object, byte[]> region;
    private final Buckets buckets;

    /**
     * @param whole region
     * @param part of it, which is to be read
     * @param buckets that make up the part
     */
    RegionReader(OpenRegion whole, Region<Object, byte[]> part, Buckets buckets) {
        this.whole = whole;
        this.definition = whole.definition();
        this.checks = whole.checks();
        this.region = part;
        this.buckets = buckets;
    }

    /** Reads all of a region whose data are all in this process. */
    static RegionReader whole(OpenRegion whole) {
        return new RegionReader(whole, whole.region(), Buckets.all(whole.region()));
    }

    RegionDefinition definition() {
        return definition;
    }

    /**
     * Runs a query over a stretch.
     *
     * @param limit how many records at most
     * @param from where the stretch begins
     * @param most how long it is to be
     */
    PartialScan<QueryPart> find(QueryScan scan, long limit, BucketCursors from, ScanBudget most) {
        scan.begin(limit, most.bytes());
        return stretch(() -> scan(scan, from, most), scan::part);
    }

    /** Runs a query for figures over a stretch, as {@link #find}. */
    PartialScan<AggregatePart> figures(AggregateScan scan, BucketCursors from, ScanBudget most) {
        scan.reset();
        return stretch(() -> scan(scan, from, most), scan::part);
    }

    /**
     * Reads, and gives the part only if all buckets were here all the while: else it may lack some of their records.
     */
    private <P extends Serializable> PartialScan<P> stretch(Supplier<BucketCursors> reading, Supplier<P> part) {
        PartialScan<P> read;
        try {
            BucketCursors reached = reading.get();
            read = new PartialScan<>(part.get(), reached, buckets.total());
        } catch (RuntimeException e) {
            if (buckets.stayed()) {
                throw e;
            }
            return PartialScan.none(buckets.total());
        }
        return buckets.stayed() ? read : PartialScan.none(buckets.total());
    }

    /** All buckets are done. */
    private BucketCursors all() {
        return new BucketCursors(
                buckets.numbers().stream().collect(Collectors.toMap(number -> number, _ -> BucketCursors.DONE)));
    }

    /** What the region is. */
    PartialScan<RegionDefinition> described() {
        return stretch(this::all, () -> definition);
    }

    /**
     * How much there is.
     *
     * @param from buckets that are done were counted already
     */
    PartialScan<RegionTotals> totals(BucketCursors from) {
        return stretch(this::all, () -> count(from));
    }

    private RegionTotals count(BucketCursors from) {
        long entries = 0;
        long records = 0;
        long bytes = 0;
        if (definition.layout() == Layout.ENTRIES) {
            entries = buckets.numbers().stream()
                    .filter(bucket -> !from.isDone(bucket))
                    .mapToLong(buckets::size)
                    .sum();
            records = entries;
            bytes = Math.round(entries * meanLength());
        } else {
            for (long key : blockKeys(from)) {
                StoredBlock block = whole.blocks().of(key);
                if (block != null) {
                    entries++;
                    records += block.records();
                    bytes += block.bytes();
                }
            }
        }
        boolean first = buckets.numbers().stream().noneMatch(from::isDone);
        return new RegionTotals(entries, records, bytes, first ? whole.expired() : 0);
    }

    /** Of entries that differ in length, the first are looked at: in the order of their hashes, so any. */
    private double meanLength() {
        if (definition.schema().tagged() == null) {
            return definition.schema().recordLength();
        }
        long values = 0;
        long bytes = 0;
        for (Object key : region.keySet()) {
            byte[] value = whole.values().read(key);
            if (value != null) {
                values++;
                bytes += value.length;
            }
            if (values == RegionInfo.MAX_MEASURED) {
                break;
            }
        }
        return values == 0 ? 0 : (double) bytes / values;
    }

    /**
     * The last record of a key: looks at the blocks from the last one on, as they are stored.
     *
     * @param key as text
     * @param from buckets that are done were looked at already
     */
    PartialScan<FoundRecord> last(String key, BucketCursors from) {
        KeyLookup lookup = KeyLookup.of(definition, key);
        return stretch(this::all, () -> last(lookup, blockKeys(from)));
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

    /** Gives the scan values from where it is, blocks by ascending key, until it has enough or the time is over. */
    private BucketCursors scan(RecordScan scan, BucketCursors from, ScanBudget most) {
        long start = System.nanoTime();
        BooleanSupplier over = () -> !scan.wanted() || scan.full() || System.nanoTime() - start >= most.nanos();
        return definition.layout() == Layout.ENTRIES
                ? scanEntries(scan, from, entries(most), over)
                : scanBlocks(scan, from, over);
    }

    /** About how many fill a slice, were all of them found. */
    private int entries(ScanBudget most) {
        return Math.max(1, most.bytes() / Math.max(1, definition.schema().recordLength()));
    }

    private BucketCursors scanBlocks(RecordScan scan, BucketCursors from, BooleanSupplier over) {
        long[] keys = blockKeys(from);
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
        long reached = next == keys.length ? BucketCursors.DONE : keys[next - 1];
        Map<Integer, Long> places = new HashMap<>();
        for (int bucket : buckets.numbers()) {
            // Where another member had the bucket before, it may have come further in it.
            Long before = from.of(bucket);
            places.put(bucket, before == null ? reached : Math.max(before, reached));
        }
        return new BucketCursors(places);
    }

    /**
     * Bucket by bucket, range by range of each. A range means to look at the keys of the whole bucket, so ranges become
     * longer while little is found in them.
     *
     * @param entries about how many are in the first range
     */
    private BucketCursors scanEntries(RecordScan scan, BucketCursors from, int entries, BooleanSupplier over) {
        Map<Integer, Long> places = new HashMap<>();
        int inRange = entries;
        boolean begun = false;
        for (int bucket : buckets.numbers()) {
            Long reached = from.of(bucket);
            long at = reached == null ? 0 : reached;
            while (at < EntryOrder.END && !(begun && over.getAsBoolean())) {
                at = scanRange(scan, bucket, at, inRange);
                inRange = Math.min(2 * inRange, MOST_ENTRIES);
                begun = true;
            }
            places.put(bucket, at < EntryOrder.END ? at : BucketCursors.DONE);
        }
        return new BucketCursors(places);
    }

    /** Returns the end of the range. */
    private long scanRange(RecordScan scan, int bucket, long from, int entries) {
        Set<Object> keys = buckets.keys(bucket);
        long to = EntryOrder.end(from, entries, keys.size());
        for (Object key : keys) {
            long place = EntryOrder.place(key);
            if (place >= from && place < to && scan.wanted()) {
                byte[] record = whole.values().read(key);
                if (record != null) {
                    scan.entry(record);
                }
            }
        }
        scan.flush();
        return to;
    }

    /** The keys of all blocks behind these places, ascending. */
    private long[] blockKeys(BucketCursors from) {
        long[] keys = new long[64];
        int count = 0;
        for (int bucket : buckets.numbers()) {
            if (from.isDone(bucket)) {
                continue;
            }
            Long reached = from.of(bucket);
            // Not as a stream: that relies on the set's size, which others change meanwhile.
            for (Object each : buckets.keys(bucket)) {
                long key = (Long) each;
                if (reached == null || key > reached) {
                    if (count == keys.length) {
                        keys = Arrays.copyOf(keys, 2 * count);
                    }
                    keys[count++] = key;
                }
            }
        }
        Arrays.sort(keys, 0, count);
        return Arrays.copyOf(keys, count);
    }

    private StoreException damaged(long key, String what, @Nullable BlockFormatException cause) {
        return new StoreException("region=" + definition.name() + " key=" + BlockKey.format(key) + " " + what, cause);
    }
}
