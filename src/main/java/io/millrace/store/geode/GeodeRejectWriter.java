package io.millrace.store.geode;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.store.RejectFormat;
import io.millrace.store.RejectWriter;
import io.millrace.store.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.geode.cache.Region;

/** Writes rejects as entries keyed by pipeline, partition and position. */
final class GeodeRejectWriter implements RejectWriter {

    private final GeodeCache cache;
    private final Region<String, byte[]> region;
    private final String prefix;
    private final Map<String, byte[]> held = new LinkedHashMap<>();
    /** Rejects without a position, which take the next numbers when they are stored. */
    private final List<byte[]> unnumbered = new ArrayList<>();

    private final Counter kept = new Counter();
    /** The number of the next reject without a position; negative until the region was asked. */
    private long nextNumber = -1;

    GeodeRejectWriter(GeodeCache cache, Region<String, byte[]> region, String pipeline, int partition) {
        this.cache = cache;
        this.region = region;
        this.prefix = pipeline + "/" + partition + "/";
    }

    private long firstNumber() {
        long next = 0;
        String numbered = prefix + "#";
        for (String key : cache.keys(region)) {
            if (key.startsWith(numbered)) {
                next = Math.max(next, Long.parseLong(key.substring(numbered.length())) + 1);
            }
        }
        return next;
    }

    @Override
    public void reject(RecordBatch batch, int ordinal, RejectReason reason) {
        reject(batch.position(ordinal), batch.bytes(), batch.offset(ordinal), batch.length(ordinal), reason);
    }

    @Override
    public void reject(long position, byte[] bytes, int offset, int length, RejectReason reason) {
        byte[] value = RejectFormat.encode(position, reason, bytes, offset, length);
        if (position == RecordBatch.NO_POSITION) {
            unnumbered.add(value);
        } else {
            held.put(prefix + position, value);
        }
    }

    @Override
    public void flush() {
        if (held.isEmpty() && unnumbered.isEmpty()) {
            return;
        }
        try {
            number();
            region.putAll(held);
        } catch (RuntimeException e) {
            throw new StoreException(
                    "region=" + region.getName() + " put of " + (held.size() + unnumbered.size()) + " rejects failed: "
                            + Causes.first(e),
                    e);
        }
        kept.add(held.size());
        held.clear();
    }

    private void number() {
        if (nextNumber < 0 && !unnumbered.isEmpty()) {
            nextNumber = firstNumber();
        }
        for (byte[] value : unnumbered) {
            held.put(prefix + "#" + nextNumber++, value);
        }
        unnumbered.clear();
    }

    @Override
    public Counter kept() {
        return kept;
    }
}
