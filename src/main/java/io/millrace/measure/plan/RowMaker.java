package io.millrace.measure.plan;

import io.millrace.aggregate.GroupSlot.Operation;
import io.millrace.aggregate.GroupTable;
import io.millrace.aggregate.Groups;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes rows from the groups of a window. Not thread-safe; allocates the rows and the numbers that exceed their
 * fields.
 */
public final class RowMaker {

    private static final int CHUNK = 1024;

    /** Ignores a value without a result: the value is absent already. */
    private static final RejectSink ABSENT = (batch, ordinal, reason) -> {};

    /** Reads rows while the doubles of their aggregates and values are in the added fields. */
    public interface Reader {

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
    private final int startAt;
    private final int endAt;
    private final int othersAt;
    /** For each row of the window, its group. */
    private int[] groupOfRow = new int[0];
    /** Raw values of a column of rows. */
    private final long[] raw = new long[CHUNK];
    /** Doubles of a column of rows. */
    private final double[] doubles = new double[CHUNK];

    /** Creates what computes the rows of a measure. */
    public RowMaker(MeasurePlan plan) {
        this.plan = plan;
        this.batch = new RecordBatch(plan.rows().formulas());
        this.rowLength = plan.rowSchema().recordLength();
        this.countAt = plan.layout().at(Operation.COUNT);
        this.startAt = plan.rows().field(RowLayout.START).offset();
        this.endAt = plan.rows().field(RowLayout.END).offset();
        this.othersAt = plan.rows().field(RowLayout.OTHERS).offset();
    }

    /**
     * Computes the rows of a window, some at a time, and of these column by column.
     *
     * @param start start of the window in milliseconds since 1970
     * @param seconds length of the window in seconds; of an open window, its length so far
     * @param firstRow number of rows in the measure's windows before this one
     */
    public Window make(WindowGroups window, long start, double seconds, long firstRow, Reader reader) {
        GroupCursor group = new GroupCursor(window, seconds);
        int count = assignRows(window.groups());
        byte[] rows = new byte[Math.multiplyExact(count, rowLength)];
        Map<Window.Place, BigDecimal> wide = new HashMap<>();
        for (int first = 0; first < count; first += CHUNK) {
            int size = Math.min(CHUNK, count - first);
            select(rows, first, size);
            putKeys(window.groups().table(), start, window.end(), rows, first, size);
            putValues(group, rows, first, size, wide);
            putAggregates(group, first, size);
            compute(rows, first, size);
            reader.rows(select(rows, first, size));
        }
        return new Window(start, window.end(), firstRow, count, rows, Map.copyOf(wide));
    }

    /**
     * Determines the groups with records, the group of those over the limit last, and returns their number. Other
     * groups have no row.
     */
    private int assignRows(Groups groups) {
        int size = groups.size();
        long[] accumulators = groups.accumulators();
        int width = groups.width();
        if (groupOfRow.length <= size) {
            groupOfRow = new int[Math.max(size + 1, 2 * groupOfRow.length)];
        }
        int count = 0;
        for (int group = 1; group <= size; group++) {
            if (accumulators[group * width + countAt] > 0) {
                groupOfRow[count++] = group;
            }
        }
        if (accumulators[GroupTable.OTHERS * width + countAt] > 0) {
            groupOfRow[count++] = GroupTable.OTHERS;
        }
        return count;
    }

    private RecordBatch select(byte[] rows, int first, int size) {
        return batch.fill(rows, first * rowLength, size, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
    }

    private void putKeys(GroupTable table, long start, long end, byte[] rows, int first, int size) {
        for (int row = first; row < first + size; row++) {
            int at = row * rowLength;
            RawBytes.putLong(rows, at + startAt, start);
            RawBytes.putLong(rows, at + endAt, end);
            rows[at + othersAt] = (byte) (groupOfRow[row] == GroupTable.OTHERS ? 1 : 0);
        }
        int part = 0;
        for (RowKey key : plan.rowKeys()) {
            for (int row = first; row < first + size; row++) {
                int group = groupOfRow[row];
                if (group == GroupTable.OTHERS) {
                    key.putAbsent(rows, row * rowLength);
                } else {
                    key.put(table.keys(), table.keyAt(group) + part, rows, row * rowLength);
                }
            }
            part += key.key().longs();
        }
    }

    /** Writes the values of rows, and their doubles to the added fields. Those that a formula computes are absent. */
    private void putValues(GroupCursor group, byte[] rows, int first, int size, Map<Window.Place, BigDecimal> wide) {
        int column = plan.aggregates().size();
        for (Value value : plan.values()) {
            Aggregate aggregate = value.aggregate();
            Field field = value.field();
            if (aggregate == null) {
                Arrays.fill(raw, 0, size, field.nullRaw());
            } else {
                aggregate.raw(group, groupOfRow, first, size, raw);
                if (real(value)) {
                    separateNaNs(aggregate, field, group, first, size);
                }
                putDoubles(aggregate, group, first, size, column);
            }
            boolean narrow = narrow(field);
            int at = first * rowLength + field.offset();
            for (int i = 0; i < size; i++) {
                if (narrow) {
                    RawBytes.putInt(rows, at, (int) raw[i]);
                } else {
                    RawBytes.putLong(rows, at, raw[i]);
                }
                at += rowLength;
            }
            if (aggregate != null && field.nullFlag()) {
                putNullFlags(aggregate, field, group, rows, first, size);
            }
            if (aggregate instanceof SumAggregate sum) {
                addWide(sum, field.name(), group, first, size, wide);
            }
            column++;
        }
    }

    private void putNullFlags(Aggregate aggregate, Field field, GroupCursor group, byte[] rows, int first, int size) {
        for (int row = first; row < first + size; row++) {
            group.moveTo(groupOfRow[row]);
            boolean absent = aggregate.absent(group);
            int at = row * rowLength;
            rows[at + field.nullFlagAt()] = (byte) (absent ? 1 : 0);
            if (absent) {
                RawBytes.putLong(rows, at + field.offset(), 0);
            }
        }
    }

    private static boolean real(Value value) {
        return value.field().type() instanceof FieldType.FloatType;
    }

    private static boolean narrow(Field field) {
        return field.type() instanceof FieldType.FloatType(int bytes, var _) && bytes == Float.BYTES;
    }

    /** Gives NaN as a value other bits than NaN as absent. */
    private void separateNaNs(Aggregate aggregate, Field field, GroupCursor group, int first, int size) {
        boolean narrow = narrow(field);
        for (int i = 0; i < size; i++) {
            boolean nan = narrow
                    ? Float.isNaN(Float.intBitsToFloat((int) raw[i]))
                    : Double.isNaN(Double.longBitsToDouble(raw[i]));
            if (nan) {
                group.moveTo(groupOfRow[first + i]);
                raw[i] = aggregate.absent(group) ? field.nullRaw() : field.nullRaw() + 1;
            }
        }
    }

    /** The result of a formula that is not finite, such as 0 / 0, is absent. Formulas compute doubles. */
    private static long finite(Field field, long raw) {
        return Double.isFinite(Double.longBitsToDouble(raw)) ? raw : field.nullRaw();
    }

    /** Adds sums that exceed their field. No other aggregate does. */
    private void addWide(
            SumAggregate sum,
            String field,
            GroupCursor group,
            int first,
            int size,
            Map<Window.Place, BigDecimal> wide) {
        for (int row = first; row < first + size; row++) {
            group.moveTo(groupOfRow[row]);
            BigDecimal exact = sum.wide(group);
            if (exact != null) {
                wide.put(new Window.Place(row, field), exact);
            }
        }
    }

    /** Writes the doubles of aggregates in formulas to the added fields of rows. */
    private void putAggregates(GroupCursor group, int first, int size) {
        int column = 0;
        for (Aggregate aggregate : plan.aggregates()) {
            putDoubles(aggregate, group, first, size, column++);
        }
    }

    private void putDoubles(Aggregate aggregate, GroupCursor group, int first, int size, int column) {
        aggregate.real(group, groupOfRow, first, size, doubles);
        byte[] added = batch.added();
        int at = column * Double.BYTES;
        for (int i = 0; i < size; i++) {
            RawBytes.putLong(added, at, Double.doubleToRawLongBits(doubles[i]));
            at += batch.addedLength();
        }
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
