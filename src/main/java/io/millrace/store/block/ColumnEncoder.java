package io.millrace.store.block;

import io.millrace.schema.FieldType;
import io.millrace.store.block.ColumnDirectory.Entry;
import io.millrace.store.block.ColumnLayout.Column;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Writes rows as columns. Searches for predictions by products only in some blocks, and retries the last one found in
 * those between. Not thread-safe; allocates only to grow, and the block.
 */
final class ColumnEncoder {

    /** Blocks per search for products: each pair of factors takes time. */
    private static final int SEARCH_EVERY = 16;

    /** With more columns than this, products are not searched. */
    private static final int FACTORS_MAX = 32;

    private static final int UNKNOWN = -1;

    private final ColumnLayout layout;
    private final List<ColumnPlan> plans;
    private final boolean[] operand;
    private final int[] firstFactor;
    private final int[] secondFactor;
    private int searchIn;

    ColumnEncoder(ColumnLayout layout) {
        this.layout = layout;
        this.plans = layout.columns().stream().map(ColumnPlan::new).toList();
        this.operand = new boolean[plans.size()];
        this.firstFactor = new int[plans.size()];
        this.secondFactor = new int[plans.size()];
        Arrays.fill(firstFactor, UNKNOWN);
    }

    /** Returns the length of the directory in bytes. */
    int directoryLength() {
        return plans.size() * ColumnDirectory.entryLength(blockEncoding());
    }

    private int blockEncoding() {
        return layout.hasIds() ? BlockFormat.COLUMNS_AND_RECORDS : BlockFormat.COLUMNS;
    }

    /**
     * Plans the columns of rows.
     *
     * @param rows at least one record, from {@code rowsAt} on
     * @return offset past the columns
     */
    long plan(byte[] rows, int rowsAt, int count) {
        int stride = layout.recordLength();
        for (ColumnPlan plan : plans) {
            plan.begin(count);
        }
        for (int first = 0; first < count; first += ColumnPlan.RUN) {
            int end = Math.min(first + ColumnPlan.RUN, count);
            for (ColumnPlan plan : plans) {
                plan.read(rows, rowsAt + first * stride, stride, first, end);
            }
        }
        for (ColumnPlan plan : plans) {
            plan.analyze(rows, rowsAt, stride);
        }
        predict();
        long length = (long) BlockFormat.HEADER_LENGTH + directoryLength();
        for (ColumnPlan plan : plans) {
            length += plan.entry.length;
        }
        return length;
    }

    /** Sets the range of a field whose column was planned, and returns true, if the field is a column by itself. */
    boolean setRange(FieldRange range) {
        ColumnPlan plan = plans.get(layout.indexOf(range.field().name()));
        if (plan.column.field() == null || range.field().nullFlag()) {
            return false;
        }
        range.set(plan.entry.hasRange(), plan.entry.min, plan.entry.max);
        return true;
    }

    /** Predicts later columns from earlier ones: derived fields mostly follow the fields that they derive from. */
    private void predict() {
        boolean search = searchIn == 0 && plans.size() <= FACTORS_MAX;
        searchIn = searchIn == 0 ? SEARCH_EVERY - 1 : searchIn - 1;
        Arrays.fill(operand, false);
        for (int i = plans.size() - 1; i > 0; i--) {
            ColumnPlan plan = plans.get(i);
            if (operand[i] || !plan.mayBePredicted()) {
                continue;
            }
            predictOfColumn(i, plan);
            if (plan.column.scale() >= 0 && plan.entry.length > 0) {
                predictOfProduct(i, plan, search);
            }
            switch (plan.entry.prediction) {
                case ColumnDirectory.COLUMN -> operand[plan.entry.first] = true;
                case ColumnDirectory.PRODUCT -> {
                    operand[plan.entry.first] = true;
                    operand[plan.entry.second] = true;
                }
                default -> {}
            }
        }
    }

    private void predictOfColumn(int index, ColumnPlan plan) {
        for (int i = 0; i < index; i++) {
            ColumnPlan other = plans.get(i);
            if (other.mayPredict() && isLike(plan.column, other.column)) {
                plan.predict(other, i);
            }
        }
    }

    /** Returns whether the numbers of both have the same unit. */
    private static boolean isLike(Column one, Column other) {
        if (one.field() == null || other.field() == null) {
            return false;
        }
        FieldType type = one.field().type();
        FieldType otherType = other.field().type();
        return switch (type) {
            case FieldType.DateType _ -> otherType instanceof FieldType.DateType;
            case FieldType.InstantType(var ignoredStorage, var unit) ->
                otherType instanceof FieldType.InstantType(var ignoredOther, var otherUnit) && unit == otherUnit;
            default -> one.scale() >= 0 && one.scale() == other.scale();
        };
    }

    private void predictOfProduct(int index, ColumnPlan plan, boolean search) {
        if (firstFactor[index] != UNKNOWN && predictOf(plan, firstFactor[index], secondFactor[index])) {
            return;
        }
        if (!search) {
            return;
        }
        firstFactor[index] = UNKNOWN;
        for (int first = 0; first < plans.size(); first++) {
            for (int second = first + 1; second < plans.size(); second++) {
                if (first != index && second != index && predictOf(plan, first, second)) {
                    firstFactor[index] = first;
                    secondFactor[index] = second;
                }
            }
        }
    }

    private boolean predictOf(ColumnPlan plan, int first, int second) {
        ColumnPlan one = plans.get(first);
        ColumnPlan other = plans.get(second);
        return one.mayPredict()
                && other.mayPredict()
                && one.factorScale() >= 0
                && other.factorScale() >= 0
                && plan.predict(one, first, other, second);
    }

    /** Writes the last plan into a block that contains zeros. */
    void write(byte[] rows, int rowsAt, byte[] block) {
        int at = BlockFormat.HEADER_LENGTH + directoryLength();
        for (int i = 0; i < plans.size(); i++) {
            ColumnPlan plan = plans.get(i);
            Entry entry = plan.entry;
            plan.write(rows, rowsAt, layout.recordLength(), block, at);
            int entryAt = ColumnDirectory.at(i, blockEncoding());
            entry.write(block, entryAt);
            if (layout.hasIds()) {
                ColumnDirectory.putId(block, entryAt, layout.id(i));
            }
            at += entry.length;
        }
        Objects.checkIndex(at, block.length + 1);
    }
}
