package io.millrace.measure.alert;

import io.millrace.codec.Counter;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchFilter;
import io.millrace.measure.plan.AlertPlan;
import io.millrace.measure.plan.MeasurePlan;
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
 * Evaluates the rows of a measure for one alert, group by group. A window without a row of a group counts for neither
 * condition: a raised alert stays raised, together with its count of windows towards clearing it, but a count of
 * windows towards raising an alert restarts. Not thread-safe.
 */
final class AlertWatch {

    /** Treats a condition that has no result as false. */
    private static final RejectSink DOES_NOT_HOLD = (batch, ordinal, reason) -> {};

    private static final int SHOWN_MAX = 10_000;

    private volatile AlertPlan plan;
    private final int rowLength;
    private final int keyFrom;
    private final int keyTo;
    private final int othersAt;
    private final int limit;
    private final RecordBatch candidates;
    private final BitSet whenRows = new BitSet();
    private final BitSet untilRows = new BitSet();
    /** The key of the row that is evaluated. Its bytes change, so the map has copies. */
    private final Key keyOfRow;

    private final Map<Key, Standing> standings = new HashMap<>();
    private final List<byte[]> changes = new ArrayList<>();
    private final Counter raised = new Counter();
    private final Counter missed = new Counter();
    private long records;
    /** The list that {@link #standing} returns. */
    private volatile List<byte[]> standing = List.of();

    /**
     * The bytes of a group's key in a row. Senders choose keys, so many keys can have the same hash code. Because keys
     * are comparable, the map finds a key among colliding ones in a tree.
     */
    record Key(byte[] bytes) implements Comparable<Key> {

        Key copy() {
            return new Key(bytes.clone());
        }

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

    /** The state of the alert for a group. */
    private static final class Standing {
        /** The record of the event that raised the alert, or null if the alert is not raised. */
        private byte @Nullable [] raised;

        /** Consecutive windows in which the condition held that would change the state. */
        private int windows;

        /** Start of the first window in which {@code when} held, in milliseconds since 1970. */
        private long since;

        /** End of the last window in which the group had a row, in milliseconds since 1970. */
        private long lastWindowEnd;
    }

    AlertWatch(MeasurePlan measure, AlertPlan plan) {
        this.plan = plan;
        this.rowLength = measure.rowSchema().recordLength();
        this.othersAt = measure.othersAt();
        this.keyFrom = othersAt + 1;
        this.keyTo = measure.keysEnd();
        this.keyOfRow = new Key(new byte[keyTo - keyFrom]);
        this.limit = measure.definition().groups();
        this.candidates = new RecordBatch(measure.formulas());
    }

    /** Evaluates the conditions of another plan from now on. Counts of consecutive windows stay. */
    void use(AlertPlan next) {
        plan = next;
    }

    AlertPlan plan() {
        return plan;
    }

    /** Returns the number of groups for which the alert is raised. */
    Counter raised() {
        return raised;
    }

    /**
     * Returns how often the alert was not evaluated for a group because the maximum number of groups is tracked
     * already.
     */
    Counter missed() {
        return missed;
    }

    /** Discards the state of all groups. */
    void clear() {
        standings.clear();
        changes.clear();
        records = 0;
        raised.set(0);
        standing = List.of();
    }

    /** Evaluates some rows of a window. */
    void rows(RecordBatch batch, long start, long end) {
        evaluate(plan.when(), batch, whenRows);
        BatchFilter until = plan.until();
        if (until != null) {
            evaluate(until, batch, untilRows);
        }
        if (standings.isEmpty() && whenRows.isEmpty()) {
            return;
        }
        for (int row = 0; row < batch.count(); row++) {
            boolean whenHolds = whenRows.get(row);
            boolean others = batch.bytes()[batch.offset(row) + othersAt] != 0;
            if (!others && (whenHolds || !standings.isEmpty())) {
                boolean untilHolds = until == null ? !whenHolds : untilRows.get(row);
                update(batch, row, whenHolds, untilHolds, start, end);
            }
        }
    }

    private void evaluate(BatchFilter condition, RecordBatch batch, BitSet into) {
        into.clear();
        candidates.share(batch);
        System.arraycopy(batch.selection(), 0, candidates.selection(), 0, batch.selected());
        candidates.select(batch.selected());
        condition.apply(candidates, DOES_NOT_HOLD);
        for (int i = 0; i < candidates.selected(); i++) {
            into.set(candidates.selection()[i]);
        }
    }

    private void update(RecordBatch batch, int row, boolean whenHolds, boolean untilHolds, long start, long end) {
        RawBytes.copy(batch.bytes(), batch.offset(row) + keyFrom, keyOfRow.bytes(), 0, keyTo - keyFrom);
        Standing standing = standings.get(keyOfRow);
        if (standing == null) {
            if (!whenHolds) {
                return;
            }
            if (standings.size() == limit) {
                missed.add(1);
                return;
            }
            standing = new Standing();
            standing.since = start;
            standings.put(keyOfRow.copy(), standing);
        }
        standing.lastWindowEnd = end;
        boolean raisedBefore = standing.raised != null;
        boolean transition = raisedBefore ? untilHolds : whenHolds;
        standing.windows = transition ? standing.windows + 1 : 0;
        if (raisedBefore && transition && standing.windows >= plan.definition().clearAfter()) {
            standings.remove(keyOfRow);
            changes.add(record(batch, row, false, standing.since));
            raised.add(-1);
        } else if (!raisedBefore && !whenHolds) {
            standings.remove(keyOfRow);
        } else if (!raisedBefore && standing.windows >= plan.definition().raiseAfter()) {
            byte[] record = record(batch, row, true, standing.since);
            standing.raised = record;
            standing.windows = 0;
            changes.add(record);
            raised.add(1);
        }
    }

    /** Returns the event record of a row. */
    private byte[] record(RecordBatch batch, int row, boolean nowRaised, long since) {
        byte[] record = new byte[plan.schema().recordLength()];
        System.arraycopy(batch.bytes(), batch.offset(row), record, 0, rowLength);
        record[rowLength] = (byte) (nowRaised ? 1 : 0);
        RawBytes.putLong(record, rowLength + 1, since);
        return record;
    }

    /** Returns the events of a window. Call it after all rows of the window have been evaluated. */
    AlertChanges endWindow(long end) {
        standings.values().removeIf(standing -> standing.raised == null && standing.lastWindowEnd != end);
        AlertChanges changed = new AlertChanges(plan, records, List.copyOf(changes));
        records += changes.size();
        if (!changes.isEmpty()) {
            changes.clear();
            showStanding();
        }
        return changed;
    }

    /** Publishes the raised alerts. They change only when a window closes, so readers need no lock. */
    private void showStanding() {
        standing = standings.values().stream()
                .map(group -> group.raised)
                .filter(Objects::nonNull)
                .limit(SHOWN_MAX)
                .toList();
    }

    /** Returns the event records of the alerts that are raised, {@value #SHOWN_MAX} at most. Any thread may call it. */
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
            out.writeLong(standing.lastWindowEnd);
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
            standing.lastWindowEnd = in.readLong();
            standings.put(new Key(key), standing);
        }
        showStanding();
    }
}
