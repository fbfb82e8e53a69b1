package io.millrace.store.geode;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.store.RejectFormat;
import io.millrace.store.RejectWriter;
import io.millrace.store.Term;
import io.millrace.store.WriterName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes rejects as entries keyed by writer and position; where the feed has no positions, by the epoch and a number
 * that begins at 0 with each term.
 */
final class GeodeRejectWriter implements RejectWriter {

    private final Values region;
    private final String prefix;
    private final Map<Object, byte[]> held = new LinkedHashMap<>();
    private final Counter kept = new Counter();
    private @Nullable Term term;
    private long nextNumber;

    GeodeRejectWriter(Values region, WriterName writer) {
        this.region = region;
        this.prefix = writer.text() + "/";
    }

    @Override
    public void open(Term begun) {
        held.clear();
        nextNumber = 0;
        term = begun;
    }

    private Term term() {
        Term current = term;
        if (current == null) {
            throw new IllegalStateException("the writer of rejects to region=" + region.name() + " is not open");
        }
        return current;
    }

    @Override
    public void reject(RecordBatch batch, int ordinal, RejectReason reason) {
        reject(batch.position(ordinal), batch.bytes(), batch.offset(ordinal), batch.length(ordinal), reason);
    }

    @Override
    public void reject(long position, byte[] bytes, int offset, int length, RejectReason reason) {
        byte[] value = RejectFormat.encode(position, reason, bytes, offset, length);
        String key = position == RecordBatch.NO_POSITION
                ? String.format(Locale.ROOT, "#%d.%09d", term().epoch(), nextNumber++)
                : Long.toString(position);
        held.put(prefix + key, value);
    }

    @Override
    public void removeTruncated(long position) {
        String key = prefix + position;
        byte[] value = region.get(key);
        if (value != null && RejectFormat.decode(key, value).reason().kind() == RejectReason.Kind.TRUNCATED) {
            region.removeAll(List.of(key), term());
        }
    }

    @Override
    public void flush() {
        if (held.isEmpty()) {
            return;
        }
        region.putAll(held, term());
        kept.add(held.size());
        held.clear();
    }

    @Override
    public Counter kept() {
        return kept;
    }
}
