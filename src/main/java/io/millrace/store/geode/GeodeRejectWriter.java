package io.millrace.store.geode;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.store.RejectFormat;
import io.millrace.store.RejectWriter;
import io.millrace.store.StoreException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.geode.cache.Region;

/** Writes rejects as entries keyed by pipeline, partition and position. */
final class GeodeRejectWriter implements RejectWriter {

    private final Region<String, byte[]> region;
    private final String prefix;
    private final Map<String, byte[]> held = new LinkedHashMap<>();
    private final Counter kept = new Counter();
    private long nextNumber;

    GeodeRejectWriter(Region<String, byte[]> region, String pipeline, int partition) {
        this.region = region;
        this.prefix = pipeline + "/" + partition + "/";
        String numbered = prefix + "#";
        for (String key : region.keySet()) {
            if (key.startsWith(numbered)) {
                nextNumber = Math.max(nextNumber, Long.parseLong(key.substring(numbered.length())) + 1);
            }
        }
    }

    @Override
    public void reject(RecordBatch batch, int ordinal, RejectReason reason) {
        reject(batch.position(ordinal), batch.bytes(), batch.offset(ordinal), batch.length(ordinal), reason);
    }

    @Override
    public void reject(long position, byte[] bytes, int offset, int length, RejectReason reason) {
        String key = prefix + (position == RecordBatch.NO_POSITION ? "#" + nextNumber++ : position);
        held.put(key, RejectFormat.encode(position, reason, bytes, offset, length));
    }

    @Override
    public void flush() {
        if (held.isEmpty()) {
            return;
        }
        try {
            region.putAll(held);
        } catch (RuntimeException e) {
            throw new StoreException(
                    "region=" + region.getName() + " put of " + held.size() + " rejects failed: " + e.getMessage(), e);
        }
        kept.add(held.size());
        held.clear();
    }

    @Override
    public Counter kept() {
        return kept;
    }
}
