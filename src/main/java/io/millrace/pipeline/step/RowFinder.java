package io.millrace.pipeline.step;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.pipeline.definition.StepPlan.EnrichPlan;
import io.millrace.pipeline.definition.StepPlan.NumberKeys;
import io.millrace.pipeline.definition.StepPlan.TextKeys;
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

    static RowFinder of(EnrichPlan plan) {
        return switch (plan.keys()) {
            case NumberKeys keys -> new ByNumber(keys, plan.table().reader());
            case TextKeys keys -> new ByText(keys, plan.table().reader());
        };
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

        private final NumberKeys plan;
        private long[] keys = new long[0];

        ByNumber(NumberKeys plan, TableReader rows) {
            super(rows);
            this.plan = plan;
        }

        @Override
        int find(RecordBatch batch, long[] into, RejectSink rejects) {
            if (keys.length < batch.selected()) {
                keys = new long[batch.selection().length];
            }
            plan.loop().fill(batch, keys, rejects);
            return rows().find(keys, batch.selected(), into);
        }

        @Override
        String key(int index) {
            return String.valueOf(keys[index]);
        }
    }

    private static final class ByText extends RowFinder {

        private final TextKeys plan;
        private final int width;
        private byte[] keys = new byte[0];

        ByText(TextKeys plan, TableReader rows) {
            super(rows);
            this.plan = plan;
            this.width = plan.type().bytes();
        }

        @Override
        int find(RecordBatch batch, long[] into, RejectSink rejects) {
            if (keys.length < batch.selected() * (width + 1)) {
                keys = new byte[batch.selection().length * (width + 1)];
            }
            plan.loop().fill(batch, keys, rejects);
            return rows().find(keys, batch.selected(), into);
        }

        @Override
        String key(int index) {
            int at = index * (width + 1);
            int length = width;
            while (length > 0 && keys[at + length - 1] == plan.type().pad()) {
                length--;
            }
            boolean cut = keys[at + width] != 0;
            return new String(keys, at, length, plan.type().charset()) + (cut ? "..." : "");
        }
    }
}
