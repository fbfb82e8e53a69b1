package io.millrace.store.block;

import io.millrace.codec.Admission;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.StoredForm;
import io.millrace.store.region.StoredForms;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes the columns in front of the records of a block that vary in length: finds the fields of these records once
 * more, in all of them those that are columns, and encodes their rows. Not thread-safe; allocates only to grow.
 */
final class RecordColumns {

    private final Schema rows;
    private final RecordBatch batch;
    private final Admission finder;
    private final ColumnEncoder encoder;
    /** Fields whose null flag is a column of its own. */
    private final List<Field> flagged;

    private int[] bounds = new int[0];

    /** @param stored schema of the region's records */
    RecordColumns(Schema stored) {
        StoredForm form = StoredForms.of(stored);
        rows = stored.project(stored.fields().stream()
                .filter(form::hasColumn)
                .map(Field::name)
                .collect(Collectors.toSet()));
        batch = new RecordBatch(rows);
        finder = LayoutCodecs.of(rows).finder();
        ColumnLayout layout = ColumnLayout.of(rows);
        encoder = new ColumnEncoder(layout);
        flagged = rows.fields().stream()
                .filter(field -> field.nullFlag() && layout.contains(field.name()))
                .toList();
    }

    /** Returns the number of records for which the rows do not take too much memory. */
    int maxRecords() {
        return RegionDefinition.MAX_COLUMN_BYTES / rows.recordLength();
    }

    /** Returns the length of the directory in bytes. */
    int directoryLength() {
        return encoder.directoryLength();
    }

    /**
     * Plans the columns of some records.
     *
     * @param bytes the records, back to back
     * @param lengths of the records
     * @param added fields added to the records, back to back
     * @param count number of records, at least one
     * @return offset in the block past the columns; {@link BlockFormat#HEADER_LENGTH} if a record is not readable, so
     *     that the block must not have columns
     */
    int plan(byte[] bytes, int[] lengths, byte[] added, int count) {
        if (bounds.length <= count) {
            bounds = new int[lengths.length + 1];
        }
        for (int i = 0; i < count; i++) {
            bounds[i + 1] = bounds[i] + lengths[i];
        }
        batch.fill(bytes, bounds, count, RecordBatch.NO_POSITION);
        int addedLength = rows.recordLength() - rows.foundLength();
        for (int i = 0; i < count; i++) {
            System.arraycopy(
                    added, i * addedLength, batch.added(), batch.addedOffset(i) + rows.foundLength(), addedLength);
        }
        finder.admit(batch, (_, _, _) -> {});
        if (batch.selected() < count) {
            return BlockFormat.HEADER_LENGTH;
        }
        flagged.forEach(this::replaceAbsent);
        return Math.toIntExact(encoder.plan(batch.added(), 0, count));
    }

    /** Replaces absent values by present ones next to them, so that they widen neither the range nor the codes. */
    private void replaceAbsent(Field field) {
        int present = 0;
        while (present < batch.count() && isAbsent(field, present)) {
            present++;
        }
        if (present == batch.count()) {
            return;
        }
        byte[] values = batch.added();
        for (int i = 0; i < batch.count(); i++) {
            if (isAbsent(field, i)) {
                int from = batch.addedOffset(present) + field.offset();
                System.arraycopy(
                        values,
                        from,
                        values,
                        batch.addedOffset(i) + field.offset(),
                        field.type().bytes());
            } else {
                present = i;
            }
        }
    }

    private boolean isAbsent(Field field, int record) {
        return batch.added()[batch.addedOffset(record) + field.nullFlagAt()] != 0;
    }

    /** Writes directory and columns into a block that contains zeros, as planned. */
    void write(byte[] block) {
        encoder.write(batch.added(), 0, block);
    }
}
