package io.millrace.measure;

import io.millrace.codec.Counter;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchFilter;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Watches a measure's rows for an alert, group by group. A group without a row in a window has neither condition met:
 * what is raised stays so, and what was about to be begins anew. Not thread-safe.
 */
final class AlertWatch {

    /** A condition without a result does not hold. */
    private static final RejectSink DOES_NOT_HOLD = (batch, ordinal, reason) -> {};

    private static final int SHOWN_MAX = 10_000;

    private final AlertPlan plan;
    private final int rowLength;
    private final int keyFrom;
    private final int keyTo;
    private final int othersAt;
    private final int limit;
    private final RecordBatch asked;
    private final BitSet holds = new BitSet();
    private final BitSet ends = new BitSet();
    private final Map<Key, Standing> standings = new HashMap<>();
    private final List<byte[]> changes = new ArrayList<>();
    private final Counter raised = new Counter();
    private final Counter missed = new Counter();
    private long records;
    /** What {@link #standing} returns. */
    private volatile List<byte[]> standing = List.of();

    /**
     * A group's key, as its bytes lie in a row. Records bring it, so many may have one hash code: as it is comparable,
     * the map finds it among these as in a tree.
     */
    record Key(byte[] bytes) implements Comparable<Key> {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key that && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        @Override
        public int compareTo(Key other) {
            return Arrays.compare(bytes, other.bytes);
        }
    }

    /** How a group stands: for how many windows in a row what would change that has held. */
    private static final class Standing {
        /** What told that it was raised, null where it was not. */
        private byte @Nullable [] raised;

        private int windows;
        private long since;
        private long seen;
    }

    AlertWatch(MeasurePlan measure, AlertPlan plan) {
        this.plan = plan;
        this.rowLength = measure.rowSchema().recordLength();
        this.othersAt = measure.rows().field(RowLayout.OTHERS).offset();
        this.keyFrom = othersAt + 1;
        this.keyTo = measure.rowKeys().isEmpty()
                ? keyFrom
                : measure.rowKeys().getLast().field().end();
        this.limit = measure.definition().groups();
        this.asked = new RecordBatch(measure.rows().formulas());
    }

    AlertPlan plan() {
        return plan;
    }

    /** Groups for which it is raised. */
    Counter raised() {
        return raised;
    }

    /** Groups for which it could not be raised since as many as there may be are watched already. */
    Counter missed() {
        return missed;
    }

    /** Forgets all groups. */
    void clear() {
        standings.clear();
        changes.clear();
        records = 0;
        raised.set(0);
        standing = List.of();
    }

    /** Sees some rows of a window. */
    void rows(RecordBatch batch, long start, long end) {
        evaluate(plan.when(), batch, holds);
        BatchFilter until = plan.until();
        if (until != null) {
            evaluate(until, batch, ends);
        }
        if (standings.isEmpty() && holds.isEmpty()) {
            return;
        }
        for (int row = 0; row < batch.count(); row++) {
            boolean bad = holds.get(row);
            boolean others = batch.bytes()[batch.offset(row) + othersAt] != 0;
            if (!others && (bad || !standings.isEmpty())) {
                boolean good = until == null ? !bad : ends.get(row);
                see(batch, row, bad, good, start, end);
            }
        }
    }

    private void evaluate(BatchFilter condition, RecordBatch batch, BitSet into) {
        into.clear();
        asked.share(batch);
        System.arraycopy(batch.selection(), 0, asked.selection(), 0, batch.selected());
        asked.select(batch.selected());
        condition.apply(asked, DOES_NOT_HOLD);
        for (int i = 0; i < asked.selected(); i++) {
            into.set(asked.selection()[i]);
        }
    }

    private Key key(RecordBatch batch, int row) {
        int at = batch.offset(row);
        return new Key(Arrays.copyOfRange(batch.bytes(), at + keyFrom, at + keyTo));
    }

    private void see(RecordBatch batch, int row, boolean bad, boolean good, long start, long end) {
        Key key = key(batch, row);
        Standing standing = standings.get(key);
        if (standing == null) {
            if (!bad) {
                return;
            }
            if (standings.size() == limit) {
                missed.add(1);
                return;
            }
            standing = new Standing();
            standing.since = start;
            standings.put(key, standing);
        }
        standing.seen = end;
        boolean raisedBefore = standing.raised != null;
        boolean turns = raisedBefore ? good : bad;
        standing.windows = turns ? standing.windows + 1 : 0;
        if (raisedBefore && turns && standing.windows >= plan.definition().clearAfter()) {
            standings.remove(key);
            changes.add(record(batch, row, false, standing.since));
            raised.add(-1);
        } else if (!raisedBefore && !bad) {
            standings.remove(key);
        } else if (!raisedBefore && standing.windows >= plan.definition().raiseAfter()) {
            byte[] record = record(batch, row, true, standing.since);
            standing.raised = record;
            standing.windows = 0;
            changes.add(record);
            raised.add(1);
        }
    }

    /** The record that tells of a row. */
    private byte[] record(RecordBatch batch, int row, boolean nowRaised, long since) {
        byte[] record = new byte[plan.schema().recordLength()];
        System.arraycopy(batch.bytes(), batch.offset(row), record, 0, rowLength);
        record[rowLength] = (byte) (nowRaised ? 1 : 0);
        RawBytes.putLong(record, rowLength + 1, since);
        return record;
    }

    /**
     * Groups for which it was raised or cleared.
     *
     * @param first how many records told of the alert before
     * @param records that tell of it now
     */
    record Changes(AlertPlan alert, long first, List<byte[]> records) {}

    /** Gives what has changed with a window, once all its rows were seen. */
    Changes endWindow(long end) {
        standings.values().removeIf(standing -> standing.raised == null && standing.seen != end);
        Changes changed = new Changes(plan, records, List.copyOf(changes));
        records += changes.size();
        if (!changes.isEmpty()) {
            changes.clear();
            showStanding();
        }
        return changed;
    }

    /** Only windows that are closed change what is raised, so readers need no lock. */
    private void showStanding() {
        standing = standings.values().stream()
                .map(group -> group.raised)
                .filter(Objects::nonNull)
                .limit(SHOWN_MAX)
                .toList();
    }

    /** The events of the alerts that are raised now, up to {@value #SHOWN_MAX}; any thread may read. */
    List<byte[]> standing() {
        return standing;
    }

    void write(DataOutput out) throws IOException {
        out.writeLong(records);
        out.writeInt(standings.size());
        for (Map.Entry<Key, Standing> entry : standings.entrySet()) {
            Standing standing = entry.getValue();
            out.write(entry.getKey().bytes());
            byte[] record = standing.raised;
            out.writeBoolean(record != null);
            if (record != null) {
                out.write(record);
            }
            out.writeInt(standing.windows);
            out.writeLong(standing.since);
            out.writeLong(standing.seen);
        }
    }

    void read(DataInput in) throws IOException {
        records = in.readLong();
        int size = in.readInt();
        for (int i = 0; i < size; i++) {
            byte[] key = new byte[keyTo - keyFrom];
            in.readFully(key);
            Standing standing = new Standing();
            if (in.readBoolean()) {
                byte[] record = new byte[plan.schema().recordLength()];
                in.readFully(record);
                standing.raised = record;
                raised.add(1);
            }
            standing.windows = in.readInt();
            standing.since = in.readLong();
            standing.seen = in.readLong();
            standings.put(new Key(key), standing);
        }
        showStanding();
    }
}
