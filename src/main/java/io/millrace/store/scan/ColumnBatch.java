package io.millrace.store.scan;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.range.FieldCondition;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import io.millrace.store.block.Block;
import io.millrace.store.block.BlockFormat;
import io.millrace.store.block.ColumnBlock;
import io.millrace.store.block.ColumnConditions;
import io.millrace.store.block.ColumnLayout;
import io.millrace.store.block.Packed;
import io.millrace.store.block.StoredCondition;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Stored records of the fixed layout, in rows or columns. Tests are evaluated on the columns of a block of columns; the
 * batch then contains rows of the records that passed, in which only the fields that are read are set.
 */
final class ColumnBatch implements StoredBatch {

    private final ColumnLayout layout;
    private final RowBatch rows;
    private final RecordBatch batch;
    private final ColumnBlock columns;
    private final ColumnConditions columnTests;
    private final int recordLength;
    private final List<StoredCondition> tests;
    private final int[] testColumns;
    private final int[] allColumns;
    private final int[] readColumns;
    private final int[] restColumns;
    private long[] selection = new long[0];
    /** Ordinals of the records in the batch, and a buffer for a subset of these. */
    private int[] ordinals = new int[0];

    private int[] picked = new int[0];
    private int shown;
    private byte[] gathered = new byte[0];
    private boolean inColumns;
    private boolean tested;

    ColumnBatch(Schema schema, ColumnLayout layout, EncodedQuery query) {
        this.layout = layout;
        rows = new RowBatch(schema);
        batch = rows.batch();
        columns = new ColumnBlock(layout);
        columnTests = new ColumnConditions(layout, columns);
        recordLength = schema.recordLength();
        tests = query.tests().stream()
                .filter(test -> layout.testable(test.test().field()))
                .toList();
        testColumns = tests.stream()
                .mapToInt(test -> layout.indexOf(test.test().field().name()))
                .toArray();
        allColumns = IntStream.range(0, layout.columns().size()).toArray();
        readColumns = indexes(layout, query.reads());
        restColumns = indexes(layout, query.restReads());
    }

    private static int[] indexes(ColumnLayout layout, Set<String> fields) {
        return fields.stream()
                .flatMapToInt(layout::indexesOf)
                .sorted()
                .distinct()
                .toArray();
    }

    @Override
    public RecordBatch batch() {
        return batch;
    }

    @Override
    public boolean tested() {
        return inColumns && tested;
    }

    @Override
    public boolean show(Block block, RejectSink unreadable) {
        inColumns = block.encoding() == BlockFormat.COLUMNS;
        if (!inColumns) {
            return rows.show(block, unreadable);
        }
        columns.show(block);
        tested = true;
        for (int i = 0; i < testColumns.length; i++) {
            FieldCondition test = tests.get(i).test();
            if (columnTests.excludes(test)) {
                return false;
            }
            tested &= isValid(test.field(), testColumns[i]);
        }
        int count = block.count();
        selectAll(count);
        for (int i = 0; tested && i < testColumns.length; i++) {
            columnTests.select(tests.get(i), selection);
        }
        gather(list(count));
        return true;
    }

    /**
     * Returns whether all numbers are values of their field. If some are not, the whole condition is evaluated record
     * by record, and rejects records without a valid value.
     */
    private boolean isValid(Field field, int column) {
        return switch (field.type()) {
            case FieldType.BooleanType _ -> columns.within(column, 0, 1);
            case FieldType.EnumType(var ignoredStorage, var dictionary) -> isValid(dictionary, column);
            default -> true;
        };
    }

    private boolean isValid(Dictionary dictionary, int column) {
        return dictionary.dense() && columns.within(column, 0, dictionary.lastCode());
    }

    private void selectAll(int count) {
        int groups = Packed.groups(count);
        if (selection.length < groups) {
            selection = new long[groups];
        }
        Arrays.fill(selection, 0, groups, -1);
        if (count % Packed.GROUP != 0) {
            selection[groups - 1] = (1L << count) - 1;
        }
    }

    /** Lists the selected records and returns their number. */
    private int list(int count) {
        if (ordinals.length < count) {
            ordinals = new int[count];
            picked = new int[count];
        }
        int listed = 0;
        for (int group = 0; group < Packed.groups(count); group++) {
            for (long rest = selection[group]; rest != 0; rest &= rest - 1) {
                ordinals[listed++] = group * Packed.GROUP + Long.numberOfTrailingZeros(rest);
            }
        }
        return listed;
    }

    private void gather(int recordCount) {
        shown = recordCount;
        if (gathered.length < recordCount * recordLength) {
            gathered = new byte[Math.max(recordCount * recordLength, 2 * gathered.length)];
        }
        if (recordCount > 0) {
            for (int column : tested ? restColumns : readColumns) {
                columns.write(column, ordinals, recordCount, gathered);
            }
        }
        batch.fill(gathered, 0, recordCount, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
    }

    @Override
    public void show(byte[][] entries, int count, RejectSink unreadable) {
        inColumns = false;
        rows.show(entries, count, unreadable);
    }

    @Override
    public void require(byte[] value) {
        rows.require(value);
    }

    @Override
    public boolean keys(String field, long[] into) {
        int column = layout.indexOf(field);
        if (!tested() || layout.columns().get(column).field() == null) {
            return false;
        }
        int recordCount = batch.selected();
        if (recordCount < shown) {
            for (int i = 0; i < recordCount; i++) {
                picked[i] = ordinals[batch.selection()[i]];
            }
            columns.keys(column, picked, recordCount, into);
        } else {
            columns.keys(column, ordinals, recordCount, into);
        }
        return true;
    }

    @Override
    public byte[] copy(int index) {
        if (!inColumns) {
            return rows.copy(index);
        }
        byte[] record = new byte[recordLength];
        int[] one = {ordinals[batch.selection()[index]]};
        for (int column : allColumns) {
            columns.write(column, one, 1, record);
        }
        return record;
    }

    /** Assembles a record of a block of columns only if it is retained. */
    @Override
    public void offer(TopRecords top, long[][] keys, int index) {
        if (!inColumns) {
            rows.offer(top, keys, index);
        } else if (top.keeps(keys, index)) {
            top.offer(keys, index, copy(index), 0);
        }
    }
}
