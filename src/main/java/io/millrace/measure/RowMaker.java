package io.millrace.measure;

import io.millrace.aggregate.GroupSlot.Operation;
import io.millrace.aggregate.GroupTable;
import io.millrace.aggregate.Groups;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes rows from the groups of a window. Not thread-safe; allocates the rows and the numbers that exceed their
 * fields.
 */
final class RowMaker {

    private static final int CHUNK = 1024;

    /** Ignores a value without a result: the value is absent already. */
    private static final RejectSink ABSENT = (batch, ordinal, reason) -> {};

    /** Reads rows while the doubles of their aggregates and values are in the added fields. */
    interface Reader {

        /** A reader that ignores all rows. */
        Reader NONE = batch -> {};

        /**
         * Reads some rows of a window.
         *
         * @param batch batch of rows, all selected
         */
        void rows(RecordBatch batch);
    }

    private final MeasurePlan plan;
    private final RecordBatch batch;
    private final int rowLength;
    private final int countAt;

    RowMaker(MeasurePlan plan) {
        this.plan = plan;
        this.batch = new RecordBatch(plan.rows().formulas());
        this.rowLength = plan.rowSchema().recordLength();
        this.countAt = plan.layout().at(Operation.COUNT);
    }

    /**
     * Computes the rows of a window.
     *
     * @param start start of the window in milliseconds since 1970
     * @param seconds length of the window in seconds; of an open window, its length so far
     * @param firstRow number of rows in the measure's windows before this one
     */
    Window make(Pane window, long start, double seconds, long firstRow, Reader reader) {
        GroupCursor group = new GroupCursor(window, seconds);
        Groups groups = window.groups();
        int count = count(groups);
        byte[] rows = new byte[Math.multiplyExact(count, rowLength)];
        Map<Window.Place, BigDecimal> wide = new HashMap<>();
        for (int first = 0; first < count; first += CHUNK) {
            int size = Math.min(CHUNK, count - first);
            select(rows, first, size);
            for (int i = 0; i < size; i++) {
                group.moveTo(after(group.group(), groups));
                put(group, groups.table(), start, window.end(), rows, (first + i) * rowLength);
                addWide(group, first + i, wide);
                putDoubles(group, i);
            }
            compute(rows, first, size);
            reader.rows(select(rows, first, size));
        }
        return new Window(start, window.end(), firstRow, count, rows, Map.copyOf(wide));
    }

    /** Returns the number of groups with records, including the group of those over the limit. */
    private int count(Groups groups) {
        int count = 0;
        for (int group = 0; group <= groups.size(); group++) {
            count += hasRecords(groups, group) ? 1 : 0;
        }
        return count;
    }

    private boolean hasRecords(Groups groups, int group) {
        return groups.figures()[group * groups.width() + countAt] > 0;
    }

    /** Returns the next group with records. The group of those over the limit comes last. */
    private int after(int group, Groups groups) {
        int next = group + 1;
        while (next <= groups.size() && !hasRecords(groups, next)) {
            next++;
        }
        return next <= groups.size() ? next : GroupTable.OTHERS;
    }

    private RecordBatch select(byte[] rows, int first, int size) {
        return batch.fill(rows, first * rowLength, size, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
    }

    private void put(GroupCursor group, GroupTable table, long start, long end, byte[] rows, int at) {
        boolean others = group.group() == GroupTable.OTHERS;
        RawBytes.putLong(rows, at + plan.rows().field(RowLayout.START).offset(), start);
        RawBytes.putLong(rows, at + plan.rows().field(RowLayout.END).offset(), end);
        rows[at + plan.rows().field(RowLayout.OTHERS).offset()] = (byte) (others ? 1 : 0);
        int keyAt = others ? 0 : table.keyAt(group.group());
        for (RowKey key : plan.rowKeys()) {
            if (others) {
                key.putAbsent(rows, at);
            } else {
                key.put(table.keys(), keyAt, rows, at);
                keyAt += key.key().longs();
            }
        }
        for (Value value : plan.values()) {
            Aggregate aggregate = value.aggregate();
            long raw = aggregate == null ? absent(value.field()) : aggregate.raw(group);
            RawBytes.putLong(rows, at + value.field().offset(), real(value) ? finite(value.field(), raw) : raw);
        }
    }

    private static boolean real(Value value) {
        return value.field().type() instanceof FieldType.FloatType;
    }

    private static long absent(Field field) {
        return field.nullRaw();
    }

    /** NaN and infinities have no JSON representation and are written as absent. */
    private static long finite(Field field, long raw) {
        return Double.isFinite(Double.longBitsToDouble(raw)) ? raw : absent(field);
    }

    private void addWide(GroupCursor group, int row, Map<Window.Place, BigDecimal> wide) {
        for (Value value : plan.values()) {
            Aggregate aggregate = value.aggregate();
            BigDecimal exact = aggregate == null ? null : aggregate.wide(group);
            if (exact != null) {
                wide.put(new Window.Place(row, value.field().name()), exact);
            }
        }
    }

    /** Writes the doubles of a row to its added fields. */
    private void putDoubles(GroupCursor group, int ordinal) {
        int at = batch.addedOffset(ordinal);
        for (Aggregate aggregate : plan.aggregates()) {
            putDouble(at, aggregate.real(group));
            at += Double.BYTES;
        }
        for (Value value : plan.values()) {
            Aggregate aggregate = value.aggregate();
            putDouble(at, aggregate == null ? Double.NaN : aggregate.real(group));
            at += Double.BYTES;
        }
    }

    private void putDouble(int at, double value) {
        RawBytes.putLong(batch.added(), at, Double.doubleToRawLongBits(value));
    }

    private void compute(byte[] rows, int first, int size) {
        List<Value> values = plan.values();
        for (int v = 0; v < values.size(); v++) {
            var formula = values.get(v).formula();
            if (formula == null) {
                continue;
            }
            formula.apply(select(rows, first, size), ABSENT);
            Field field = values.get(v).field();
            int valueOffset = (plan.aggregates().size() + v) * Double.BYTES;
            for (int i = 0; i < size; i++) {
                int at = (first + i) * rowLength + field.offset();
                long raw = finite(field, RawBytes.getLong(rows, at));
                RawBytes.putLong(rows, at, raw);
                RawBytes.putLong(batch.added(), batch.addedOffset(i) + valueOffset, raw);
            }
        }
    }
}
