package io.millrace.store.scan;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import io.millrace.store.block.Block;
import io.millrace.store.block.BlockFormat;
import io.millrace.store.block.ColumnLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Stored records that vary in length, with or without columns next to them. Tests are evaluated on the columns of a
 * block. If the block has columns of all fields that the query reads, the batch then contains rows of the records that
 * passed, and the bytes of the records are read only to return some of them; else the fields are found in the bytes of
 * the records that passed.
 *
 * <p>The columns contain what the finder found when the block was sealed. A block has columns only if all its records
 * could be read, so a record that a query would reject as unreadable is never in a row from columns.
 */
final class RecordColumnBatch implements StoredBatch {

    /**
     * A field to write to rows.
     *
     * @param columns that of its value, then that of its null flag if it has one
     */
    private record Target(Field field, int[] columns) {}

    /** What is only necessary once a block with columns was met. */
    private static final class Columns {

        private final ColumnSelection selection;
        /** Columns of all fields that the query reads; null if some of them have none. */
        private final int @Nullable [] read;

        private final List<Target> targets = new ArrayList<>();

        /** @param schema with the fields in its row that the query reads */
        Columns(Schema schema, EncodedQuery query) {
            ColumnLayout layout = ColumnLayout.of(schema.stored());
            selection = new ColumnSelection(layout, query);
            read = query.reads().stream().allMatch(layout::contains)
                    ? query.reads().stream().flatMapToInt(layout::indexesOf).toArray()
                    : null;
            if (read != null) {
                query.restReads()
                        .forEach(name -> targets.add(new Target(
                                Objects.requireNonNull(schema.field(name)),
                                layout.indexesOf(name).toArray())));
            }
        }

        boolean haveAllThatIsRead() {
            return read != null
                    && selection.columns().hasAny()
                    && selection.columns().has(read);
        }
    }

    private final Schema schema;
    private final EncodedQuery query;
    private final VariedBatch records;
    private final RecordBatch batch;
    private @Nullable Columns columns;
    /** Columns of the current block if the batch contains rows from them; null if the fields were found in bytes. */
    private @Nullable Columns source;
    /** The current block, if {@link #source} is not null. */
    private @Nullable Block block;
    /** Bounds of records that are not there: rows from columns have no bytes. */
    private int[] noBounds = new int[1];

    private boolean tested;

    /** @param schema with the fields in its row that the query reads */
    RecordColumnBatch(Schema schema, EncodedQuery query) {
        this.schema = schema;
        this.query = query;
        records = new VariedBatch(schema);
        batch = records.batch();
    }

    @Override
    public RecordBatch batch() {
        return batch;
    }

    @Override
    public boolean tested() {
        return tested;
    }

    @Override
    public boolean show(Block shown, RejectSink unreadable) {
        source = null;
        block = null;
        tested = false;
        if (shown.encoding() != BlockFormat.COLUMNS_AND_RECORDS) {
            return records.show(shown, unreadable);
        }
        Columns known = columns();
        ColumnSelection selection = known.selection;
        if (!selection.select(shown)) {
            return false;
        }
        tested = selection.tested();
        if (known.haveAllThatIsRead()) {
            source = known;
            block = shown;
            fillRows(known);
        } else if (selection.count() == 0) {
            batch.fill(batch.bytes(), noBounds, 0, RecordBatch.NO_POSITION);
        } else if (selection.count() == shown.count()) {
            records.show(shown, unreadable);
        } else {
            records.show(shown, selection.ordinals(), selection.count(), unreadable);
        }
        return true;
    }

    private Columns columns() {
        Columns known = columns;
        if (known == null) {
            known = new Columns(schema, query);
            columns = known;
        }
        return known;
    }

    private void fillRows(Columns from) {
        int recordCount = from.selection.count();
        if (noBounds.length <= recordCount) {
            noBounds = new int[Math.max(recordCount + 1, 2 * noBounds.length)];
        }
        batch.fill(batch.bytes(), noBounds, recordCount, RecordBatch.NO_POSITION);
        for (Target target : from.targets) {
            Field field = target.field();
            from.selection.write(target.columns()[0], batch.added(), field.offset(), batch.addedLength());
            if (target.columns().length > 1) {
                from.selection.write(target.columns()[1], batch.added(), field.nullFlagAt(), batch.addedLength());
                clearAbsent(field);
            }
        }
    }

    /** In a column, an absent value is any; in a row, its bytes are padding or zero. */
    private void clearAbsent(Field field) {
        byte[] rows = batch.added();
        byte padding = field.type() instanceof FieldType.StringType text ? text.pad() : 0;
        for (int i = 0; i < batch.count(); i++) {
            int at = batch.addedOffset(i);
            if (rows[at + field.nullFlagAt()] != 0) {
                Arrays.fill(rows, at + field.offset(), at + field.nullFlagAt(), padding);
            }
        }
    }

    @Override
    public void show(byte[][] entries, int count, RejectSink unreadable) {
        source = null;
        block = null;
        tested = false;
        records.show(entries, count, unreadable);
    }

    @Override
    public boolean keys(String field, long[] into) {
        return source != null && source.selection.keys(field, batch, into);
    }

    @Override
    public byte[] copy(int index) {
        return source == null || block == null
                ? records.copy(index)
                : records.copy(block, source.selection.ordinals()[batch.selection()[index]]);
    }

    @Override
    public void offer(TopRecords top, long[][] keys, int index) {
        if (source == null) {
            records.offer(top, keys, index);
        } else if (top.keeps(keys, index)) {
            top.offer(keys, index, copy(index), 0);
        }
    }
}
