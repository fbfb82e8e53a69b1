package io.millrace.pipeline.step.enrich;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.BatchTexts;
import io.millrace.schema.FieldType.StringType;
import io.millrace.table.TableReader;

/**
 * Computes the keys of a batch and finds their rows. Allocates nothing once it has grown to the size of the batches.
 * Not thread-safe.
 */
abstract sealed class RowFinder {

    private final TableReader rows;

    private RowFinder(TableReader rows) {
        this.rows = rows;
    }

    /**
     * @param loop computes integer keys, or codes of an enum
     * @param keys which of its longs are keys of the table
     */
    static RowFinder byNumber(BatchKeys loop, NumberKeys keys, TableReader rows) {
        return new ByNumber(loop, keys, rows);
    }

    /** What the longs of the keys mean. */
    enum NumberKeys {
        /** Signed numbers, in a table of signed numbers. */
        SIGNED,
        /** Unsigned numbers, in a table of unsigned numbers. */
        UNSIGNED,
        /** Signed numbers, in a table of unsigned numbers: a negative one is in no row. */
        SIGNED_IN_UNSIGNED,
        /** Unsigned numbers, in a table of signed numbers: one from 2^63 is in no row. */
        UNSIGNED_IN_SIGNED;

        static NumberKeys of(boolean unsigned, boolean unsignedTable) {
            return unsigned
                    ? (unsignedTable ? UNSIGNED : UNSIGNED_IN_SIGNED)
                    : (unsignedTable ? SIGNED_IN_UNSIGNED : SIGNED);
        }

        /** Returns whether keys that are negative as longs are in no row. */
        boolean missNegative() {
            return this == SIGNED_IN_UNSIGNED || this == UNSIGNED_IN_SIGNED;
        }

        String text(long key) {
            return this == UNSIGNED || this == UNSIGNED_IN_SIGNED ? Long.toUnsignedString(key) : Long.toString(key);
        }
    }

    /** @param type type in which keys are encoded, which is that of the table's key */
    static RowFinder byText(BatchTexts loop, StringType type, TableReader rows) {
        return new ByText(loop, type, rows);
    }

    /**
     * Finds the row of each selected record. A record without a key is passed to the sink and leaves the selection.
     *
     * @param into receives the rows
     * @return number of keys that are not in the table
     */
    abstract int find(RecordBatch batch, long[] into, RejectSink rejects);

    /** Returns the key, as of the last {@link #find}, of the record at an index of the selection. */
    abstract String key(int index);

    /** Returns the reader that finds the rows. */
    final TableReader rows() {
        return rows;
    }

    private static final class ByNumber extends RowFinder {

        private final BatchKeys loop;
        private final NumberKeys meaning;
        private long[] keys = new long[0];

        ByNumber(BatchKeys loop, NumberKeys meaning, TableReader rows) {
            super(rows);
            this.loop = loop;
            this.meaning = meaning;
        }

        @Override
        int find(RecordBatch batch, long[] into, RejectSink rejects) {
            if (keys.length < batch.selected()) {
                keys = new long[batch.selection().length];
            }
            loop.fill(batch, keys, rejects);
            int missed = rows().find(keys, batch.selected(), into);
            return meaning.missNegative() ? missed + missNegative(batch.selected(), into) : missed;
        }

        /** Removes the rows of keys that only have the same bits. Returns their number. */
        private int missNegative(int count, long[] into) {
            long absentRow = rows().absentRow();
            int missed = 0;
            for (int i = 0; i < count; i++) {
                if (keys[i] < 0 && into[i] != absentRow) {
                    into[i] = absentRow;
                    missed++;
                }
            }
            return missed;
        }

        @Override
        String key(int index) {
            return meaning.text(keys[index]);
        }
    }

    private static final class ByText extends RowFinder {

        private final BatchTexts loop;
        private final StringType type;
        private final int width;
        private byte[] keys = new byte[0];

        ByText(BatchTexts loop, StringType type, TableReader rows) {
            super(rows);
            this.loop = loop;
            this.type = type;
            this.width = type.bytes();
        }

        @Override
        int find(RecordBatch batch, long[] into, RejectSink rejects) {
            if (keys.length < batch.selected() * (width + 1)) {
                keys = new byte[batch.selection().length * (width + 1)];
            }
            loop.fill(batch, keys, rejects);
            return rows().find(keys, batch.selected(), into);
        }

        @Override
        String key(int index) {
            int at = index * (width + 1);
            int length = width;
            while (length > 0 && keys[at + length - 1] == type.pad()) {
                length--;
            }
            boolean cut = keys[at + width] != 0;
            return new String(keys, at, length, type.charset()) + (cut ? "..." : "");
        }
    }
}
