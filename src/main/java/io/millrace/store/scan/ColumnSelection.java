package io.millrace.store.scan;

import io.millrace.codec.RecordBatch;
import io.millrace.expression.range.FieldCondition;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.store.block.Block;
import io.millrace.store.block.ColumnBlock;
import io.millrace.store.block.ColumnConditions;
import io.millrace.store.block.ColumnLayout;
import io.millrace.store.block.Packed;
import io.millrace.store.block.StoredCondition;
import java.util.Arrays;
import java.util.List;

/**
 * Evaluates a query's tests on the columns of consecutive blocks, and lists the records that pass. Not thread-safe;
 * allocates only to grow.
 */
final class ColumnSelection {

    private final ColumnLayout layout;
    private final ColumnBlock columns;
    private final ColumnConditions conditions;
    private final List<StoredCondition> tests;
    /** Columns that each test reads. */
    private final List<int[]> testColumns;

    private long[] selection = new long[0];
    /** Ordinals of the records that passed, and a buffer for a subset of these. */
    private int[] ordinals = new int[0];

    private int[] picked = new int[0];
    private int count;
    private boolean tested;

    ColumnSelection(ColumnLayout layout, EncodedQuery query) {
        this.layout = layout;
        columns = new ColumnBlock(layout);
        conditions = new ColumnConditions(layout, columns);
        tests = query.tests().stream()
                .filter(test -> layout.testable(test.test().field()))
                .toList();
        testColumns = tests.stream()
                .map(test -> layout.indexesOf(test.test().field().name()).toArray())
                .toList();
    }

    /** Returns the columns of the current block. */
    ColumnBlock columns() {
        return columns;
    }

    /**
     * Switches to another block.
     *
     * @return false if evidently no record passes the tests: then nothing is listed
     * @throws io.millrace.store.block.BlockFormatException if the block is corrupt
     */
    boolean select(Block block) {
        columns.show(block);
        tested = true;
        for (int i = 0; i < tests.size(); i++) {
            FieldCondition test = tests.get(i).test();
            boolean readable = columns.has(testColumns.get(i));
            if (readable && conditions.excludes(test)) {
                return false;
            }
            tested &= readable && isValid(test.field());
        }
        selectAll(block.count());
        for (int i = 0; tested && i < tests.size(); i++) {
            conditions.select(tests.get(i), selection);
        }
        list(block.count());
        return true;
    }

    /**
     * Returns whether all numbers are values of their field. If some are not, the whole condition is evaluated record
     * by record, and rejects records without a valid value. Columns with ids contain what was found in records, where
     * the values were checked.
     */
    private boolean isValid(Field field) {
        int column = layout.indexOf(field.name());
        return layout.hasIds()
                || switch (field.type()) {
                    case FieldType.BooleanType _ -> columns.within(column, 0, 1);
                    case FieldType.EnumType(var ignoredStorage, var dictionary) -> isValid(dictionary, column);
                    default -> true;
                };
    }

    private boolean isValid(Dictionary dictionary, int column) {
        return dictionary.dense() && columns.within(column, 0, dictionary.lastCode());
    }

    private void selectAll(int records) {
        int groups = Packed.groups(records);
        if (selection.length < groups) {
            selection = new long[groups];
        }
        Arrays.fill(selection, 0, groups, -1);
        if (records % Packed.GROUP != 0) {
            selection[groups - 1] = (1L << records) - 1;
        }
    }

    private void list(int records) {
        if (ordinals.length < records) {
            ordinals = new int[records];
            picked = new int[records];
        }
        count = 0;
        for (int group = 0; group < Packed.groups(records); group++) {
            for (long rest = selection[group]; rest != 0; rest &= rest - 1) {
                ordinals[count++] = group * Packed.GROUP + Long.numberOfTrailingZeros(rest);
            }
        }
    }

    /** Returns whether the tests were evaluated; if not, all records are listed. */
    boolean tested() {
        return tested;
    }

    /** Returns the ordinals of the listed records, ascending; the first {@link #count} are valid. */
    int[] ordinals() {
        return ordinals;
    }

    /** Returns the number of listed records. */
    int count() {
        return count;
    }

    /** Writes a column of the listed records into rows. */
    void write(int column, byte[] rows, int rowsAt, int stride) {
        if (count > 0) {
            columns.write(column, ordinals, count, rows, rowsAt, stride);
        }
    }

    /**
     * Implements {@link StoredBatch#keys}.
     *
     * @param batch whose records are the listed ones, some of which are selected
     */
    boolean keys(String field, RecordBatch batch, long[] into) {
        int column = layout.indexOf(field);
        if (!tested || layout.columns().get(column).field() == null) {
            return false;
        }
        int selected = batch.selected();
        if (selected < count) {
            for (int i = 0; i < selected; i++) {
                picked[i] = ordinals[batch.selection()[i]];
            }
            columns.keys(column, picked, selected, into);
        } else {
            columns.keys(column, ordinals, selected, into);
        }
        return true;
    }
}
