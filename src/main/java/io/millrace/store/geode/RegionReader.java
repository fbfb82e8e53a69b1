package io.millrace.store.geode;

import io.millrace.store.Block;
import io.millrace.store.BlockFormatException;
import io.millrace.store.BlockKey;
import io.millrace.store.EntryKey;
import io.millrace.store.KeyLookup;
import io.millrace.store.Layout;
import io.millrace.store.QueryScan;
import io.millrace.store.RegionInfo;
import io.millrace.store.StoreException;
import java.util.Arrays;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;

/** Reads a region while others write it; what is put meanwhile may or may not be seen. Thread-safe. */
final class RegionReader {

    private final OpenRegion source;
    private final Region<Object, byte[]> region;

    RegionReader(OpenRegion source) {
        this.source = source;
        this.region = source.region();
    }

    RegionInfo info() {
        long entries = 0;
        long records = 0;
        long bytes = 0;
        if (source.definition().layout() == Layout.ENTRIES) {
            entries = region.size();
            records = entries;
            bytes = Math.round(entries * meanLength());
        } else {
            for (long key : blockKeys()) {
                byte[] block = region.get(key);
                if (block != null) {
                    entries++;
                    records += Block.peekCount(block).orElseThrow(() -> damaged(key, "the value is no block", null));
                    bytes += block.length;
                }
            }
        }
        return new RegionInfo(source.definition(), entries, records, bytes);
    }

    /** Of entries that differ in length, the first are looked at: in the order of their hashes, so any. */
    private double meanLength() {
        if (source.definition().schema().tagged() == null) {
            return source.definition().schema().recordLength();
        }
        long values = 0;
        long bytes = 0;
        for (Object key : region.keySet()) {
            byte[] value = region.get(key);
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

    byte @Nullable [] get(String key) {
        return source.definition().layout() == Layout.ENTRIES
                ? region.get(EntryKey.of(source.definition()).parse(key))
                : find(KeyLookup.of(source.definition(), key));
    }

    /** Looks at the blocks from the last one on, as they are stored. */
    private byte @Nullable [] find(KeyLookup lookup) {
        long[] keys = blockKeys();
        for (int i = keys.length - 1; i >= 0; i--) {
            byte[] block = region.get(keys[i]);
            try {
                byte[] found = block == null ? null : lookup.find(keys[i], block, source.checks());
                if (found != null) {
                    return found;
                }
            } catch (BlockFormatException e) {
                throw damaged(keys[i], String.valueOf(e.getMessage()), e);
            }
        }
        return null;
    }

    /** Gives the scan all values, as long as it wants more: blocks by ascending key, entries as Geode has them. */
    void scan(QueryScan scan) {
        if (source.definition().layout() == Layout.ENTRIES) {
            scanEntries(scan);
        } else {
            scanBlocks(scan);
        }
    }

    private void scanBlocks(QueryScan scan) {
        for (long key : blockKeys()) {
            byte[] block = scan.wanted() ? region.get(key) : null;
            if (block != null) {
                try {
                    scan.block(key, block, source.checks());
                } catch (BlockFormatException e) {
                    throw damaged(key, String.valueOf(e.getMessage()), e);
                }
            }
        }
    }

    private void scanEntries(QueryScan scan) {
        for (Object key : region.keySet()) {
            if (!scan.wanted()) {
                return;
            }
            byte[] record = region.get(key);
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
        return new StoreException(
                "region=" + source.definition().name() + " key=" + BlockKey.format(key) + " " + what, cause);
    }
}
