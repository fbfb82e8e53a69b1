package io.millrace.bench;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.memory.RawMemory;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import io.millrace.table.ServedTable;
import io.millrace.table.TableDefinition;
import io.millrace.table.TableReader;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The enrich of W1: 2048 trades, a row of 100,000 by {@code id % 100000}, one field of eight bytes. The packed table
 * beside arrays on the heap, as tables were before: an int for each key, and the rows in a byte array.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 7, time = 1)
@Fork(1)
public class EnrichBenchmark {

    private static final int BATCH = 2048;
    private static final int BATCHES = 512;
    private static final int ROW = 16;

    private byte[] trades = new byte[0];
    private RecordBatch batch = new RecordBatch(Schemas.builtIn().get("trade"));
    private BatchKeys keys = (_, _, _) -> {};
    private final long[] keyValues = new long[BATCH];
    private final long[] rows = new long[BATCH];
    private final int[] heapRows = new int[BATCH];
    private final int[] rowByKey = new int[W1Data.DESKS];
    private final byte[] heapTable = new byte[(W1Data.DESKS + 1) * ROW];
    private @Nullable TableReader reader;
    private int next;

    @Setup
    public void load() throws IOException {
        trades = W1Data.trades();
        Schema trade = Schemas.builtIn().get("trade");
        keys = new ExpressionCompiler(trade).keys("id % " + W1Data.DESKS).loop();
        Field desk = Objects.requireNonNull(trade.field("id")).as("desk", 0).withNullFlag();
        batch = new RecordBatch(trade.extend(desk));
        reader = ServedTable.load(new TableDefinition("desks", W1Data.DESKS_FILE.toString(), "id", null, null))
                .reader();
        for (int key = 0; key < W1Data.DESKS; key++) {
            rowByKey[key] = key + 1;
            RawBytes.putLong(heapTable, (key + 1) * ROW, key);
            RawBytes.putLong(heapTable, (key + 1) * ROW + 8, W1Data.desk(key));
        }
    }

    private void nextBatch() {
        next = next == BATCHES - 1 ? 0 : next + 1;
        batch.fill(trades, next * BATCH * W1Data.LENGTH, BATCH, 0, 0);
        keys.fill(batch, keyValues, (_, _, _) -> {});
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public byte[] keysAlone() {
        nextBatch();
        return batch.added();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public byte[] packedTable() {
        nextBatch();
        TableReader found = Objects.requireNonNull(reader);
        found.find(keyValues, BATCH, rows);
        byte[] into = batch.added();
        int[] selection = batch.selection();
        for (int i = 0; i < BATCH; i++) {
            long word = RawMemory.getLong(found.memory(), rows[i] + 8);
            RawBytes.putLong(into, batch.addedOffset(selection[i]), word);
        }
        return into;
    }

    /** As {@link #packedTable}, and the null flag behind the value: the column of a CSV file may have empty cells. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public byte[] packedTableOptional() {
        nextBatch();
        TableReader found = Objects.requireNonNull(reader);
        found.find(keyValues, BATCH, rows);
        byte[] into = batch.added();
        int[] selection = batch.selection();
        for (int i = 0; i < BATCH; i++) {
            long row = rows[i] + 8;
            int at = batch.addedOffset(selection[i]);
            byte nullFlag = RawMemory.getByte(found.memory(), row + 8);
            long word = RawMemory.getLong(found.memory(), row);
            into[at + 8] = nullFlag;
            RawBytes.putLong(into, at, word);
        }
        return into;
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public byte[] heapArrays() {
        nextBatch();
        for (int i = 0; i < BATCH; i++) {
            long index = keyValues[i];
            heapRows[i] = index >= 0 && index < rowByKey.length ? rowByKey[(int) index] : 0;
        }
        byte[] into = batch.added();
        int[] selection = batch.selection();
        for (int i = 0; i < BATCH; i++) {
            long word = RawBytes.getLong(heapTable, heapRows[i] * ROW + 8);
            RawBytes.putLong(into, batch.addedOffset(selection[i]), word);
        }
        return into;
    }
}
