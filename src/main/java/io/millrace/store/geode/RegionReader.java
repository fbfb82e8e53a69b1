package io.millrace.store.geode;

import io.millrace.expression.FunctionRegistry;
import io.millrace.store.AggregateQuery;
import io.millrace.store.AggregateScan;
import io.millrace.store.BlockChecks;
import io.millrace.store.BlockFormatException;
import io.millrace.store.BlockKey;
import io.millrace.store.KeyLookup;
import io.millrace.store.Layout;
import io.millrace.store.Query;
import io.millrace.store.QueryScan;
import io.millrace.store.RecordScan;
import io.millrace.store.RegionDefinition;
import io.millrace.store.RegionInfo;
import io.millrace.store.RegionTotals;
import io.millrace.store.StoreException;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;

/**
 * Reads the data of a region that are in this process, while others write them; what is put meanwhile may or may not be
 * seen. Thread-safe.
 */
final class RegionReader {

    private final RegionDefinition definition;
    private final BlockChecks checks;
    private final OpenRegion whole;
    private final Region<Object, byte[]> region;

    /** @param part the region, or the part of it that is to be read */
    RegionReader(OpenRegion whole, Region<Object, byte[]> part) {
        this.whole = whole;
        this.definition = whole.definition();
        this.checks = whole.checks();
        this.region = part;
    }

    /** @param functions that expressions may call */
    Serializable answer(Question question, FunctionRegistry functions) {
        return switch (question) {
            case Question.Find(Query query) -> {
                QueryScan scan = QueryScan.of(definition, query, functions);
                scan(scan);
                yield scan.part();
            }
            case Question.Aggregate(AggregateQuery query) -> {
                AggregateScan scan = AggregateScan.of(definition, query, functions);
                scan(scan);
                yield scan.part();
            }
            case Question.HowMuch() -> totals();
            case Question.Last(String key) -> last(KeyLookup.of(definition, key));
        };
    }

    private RegionTotals totals() {
        long entries = 0;
        long records = 0;
        long bytes = 0;
        if (definition.layout() == Layout.ENTRIES) {
            entries = region.size();
            records = entries;
            bytes = Math.round(entries * meanLength());
        } else {
            for (long key : blockKeys()) {
                StoredBlock block = whole.blocks().of(key);
                if (block != null) {
                    entries++;
                    records += block.records();
                    bytes += block.bytes();
                }
            }
        }
        return new RegionTotals(entries, records, bytes, whole.expired());
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

    /** Looks at the blocks from the last one on, as they are stored. */
    private FoundRecord last(KeyLookup lookup) {
        long[] keys = blockKeys();
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

    /** Gives the scan all values, as long as it wants more: blocks by ascending key, entries as Geode has them. */
    private void scan(RecordScan scan) {
        if (definition.layout() == Layout.ENTRIES) {
            scanEntries(scan);
        } else {
            scanBlocks(scan);
        }
    }

    private void scanBlocks(RecordScan scan) {
        for (long key : blockKeys()) {
            byte[] block = scan.wanted() ? whole.values().read(key) : null;
            if (block != null) {
                try {
                    scan.block(key, block, checks);
                } catch (BlockFormatException e) {
                    throw damaged(key, String.valueOf(e.getMessage()), e);
                }
            }
        }
    }

    private void scanEntries(RecordScan scan) {
        for (Object key : region.keySet()) {
            if (!scan.wanted()) {
                return;
            }
            byte[] record = whole.values().read(key);
            if (record != null) {
                scan.entry(record);
            }
        }
    }

    private long[] blockKeys() {
        long[] keys = new long[64];
        int count = 0;
        // Not as a stream: that relies on the set's size, which others change meanwhile.
        for (Object key : region.keySet()) {
            if (count == keys.length) {
                keys = Arrays.copyOf(keys, 2 * count);
            }
            keys[count++] = (Long) key;
        }
        Arrays.sort(keys, 0, count);
        return Arrays.copyOf(keys, count);
    }

    private StoreException damaged(long key, String what, @Nullable BlockFormatException cause) {
        return new StoreException("region=" + definition.name() + " key=" + BlockKey.format(key) + " " + what, cause);
    }
}
