package io.millrace.store;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.expression.FunctionRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run of a query over stored values, as long as more are {@linkplain #wanted wanted}. Not thread-safe. Blocks are
 * looked at in place; records that are entries are gathered in chunks first. Only what is found gets decoded.
 */
public final class QueryScan {

    private static final int CHUNK = 1024;

    private final QueryPlan plan;
    private final RecordBatch batch;
    private final TopRecords top;
    private final long[][] columns;
    private final int recordLength;
    private final long start = System.nanoTime();
    private byte[] gathered = new byte[0];
    private final byte[][] chunk = new byte[CHUNK][];
    private int inChunk;
    private long scanned;
    private long failed;
    private @Nullable String firstFailure;

    QueryScan(QueryPlan plan) {
        this.plan = plan;
        batch = new RecordBatch(plan.schema());
        recordLength = plan.schema().recordLength();
        columns = new long[plan.orders().size()][];
        top = new TopRecords(plan.limit(), columns.length);
    }

    /**
     * A run over the values of a region.
     *
     * @param functions that the query's expressions may call
     * @throws io.millrace.expression.ExpressionException where an expression is wrong
     * @throws IllegalArgumentException where a field selected is not stored
     */
    public static QueryScan of(RegionDefinition region, Query query, FunctionRegistry functions) {
        return new QueryScan(QueryPlan.of(region, query, functions));
    }

    /** Whether records to come could still be among the result. */
    public boolean wanted() {
        return !top.complete();
    }

    /**
     * Looks at a stored block.
     *
     * @throws BlockFormatException where it is none
     */
    public void block(byte[] value) {
        Block block = Block.open(value, plan.schema().fingerprint());
        narrow(value, Block.HEADER_LENGTH, block.count());
        for (int i = 0; i < batch.selected() && wanted(); i++) {
            top.offer(columns, i, value, batch.offset(batch.selection()[i]));
        }
    }

    /** Looks at a record that is a value of its own. */
    public void entry(byte[] value) {
        if (value.length != recordLength) {
            throw new StoreException(
                    "length=" + value.length + " of the value is not that of a record, " + recordLength);
        }
        chunk[inChunk++] = value;
        if (inChunk == CHUNK) {
            entries();
        }
    }

    private void entries() {
        if (gathered.length == 0) {
            gathered = new byte[CHUNK * recordLength];
        }
        for (int i = 0; i < inChunk; i++) {
            System.arraycopy(chunk[i], 0, gathered, i * recordLength, recordLength);
        }
        narrow(gathered, 0, inChunk);
        for (int i = 0; i < batch.selected() && wanted(); i++) {
            top.offer(columns, i, chunk[batch.selection()[i]], 0);
        }
        inChunk = 0;
    }

    /** Leaves the records for which the condition holds, and fills the columns of their keys. */
    private void narrow(byte[] bytes, int at, int count) {
        batch.fill(bytes, at, count, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
        scanned += count;
        if (plan.filter() != null) {
            plan.filter().apply(batch, this::fail);
        }
        int before;
        do { // A key that has no result takes its record out, and the columns filled before no longer match.
            before = batch.selected();
            for (int k = 0; k < columns.length; k++) {
                fill(k);
            }
        } while (batch.selected() != before);
    }

    private void fill(int k) {
        if (columns[k] == null || columns[k].length < batch.selected()) {
            columns[k] = new long[Math.max(CHUNK, batch.selected())];
        }
        plan.orders().get(k).keys().fill(batch, columns[k], this::fail);
        if (plan.orders().get(k).descending()) {
            for (int i = 0; i < batch.selected(); i++) {
                columns[k][i] = ~columns[k][i];
            }
        }
    }

    private void fail(RecordBatch failing, int ordinal, RejectReason reason) {
        fail(reason.detail());
    }

    private void fail(@Nullable String why) {
        failed++;
        if (firstFailure == null) {
            firstFailure = why;
        }
    }

    /** Decodes what was found. */
    public QueryResult finish() {
        if (inChunk > 0 && wanted()) {
            entries();
        }
        List<Map<String, @Nullable Object>> records = new ArrayList<>();
        top.drain((source, at) -> {
            try {
                Map<String, @Nullable Object> record = new LinkedHashMap<>();
                for (FieldCodec field : plan.fields()) {
                    record.put(field.field().name(), field.value(source, at));
                }
                records.add(record);
            } catch (FieldValueException e) {
                fail(e.getMessage());
            }
        });
        return new QueryResult(records, scanned, 0, failed, firstFailure, System.nanoTime() - start);
    }
}
