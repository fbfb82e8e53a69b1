package io.millrace.bench;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.block.BlockWriter;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Writes {@value #BLOCKS} different blocks of {@value RegionDefinition#DEFAULT_BLOCK_RECORDS} records, in rows and in
 * columns: appends a batch, seals the block and discards it. Run it by {@code ./mvnw -Pbench verify
 * -Dbench=ColumnWrite}. Times are for each record, on one core. Compare columns with rows of the same run; the setup
 * prints the bytes of a record in each form.
 *
 * <p>The records are the trades of the sample, of 39 bytes, and quotes of 112 bytes with optional fields, texts, and
 * fields of 1 to 12 bytes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class ColumnWriteBenchmark {

    static final int BLOCKS = 64;

    private static final int RECORDS = BLOCKS * RegionDefinition.DEFAULT_BLOCK_RECORDS;
    private static final long SEED = 39;

    /** The records to write. */
    public enum Records {
        /** Trades of the sample. */
        TRADE,
        /** Wider records. */
        QUOTE;

        Schema schema() {
            return this == TRADE
                    ? Schemas.builtIn().get("trade")
                    : SchemaReader.read("quote.yml", """
                            schema: quote
                            layout: fixed
                            byte-order: big
                            fields:
                              - { name: sequence, type: i64 }
                              - { name: time,     type: instant, unit: ns, as: i64 }
                              - { name: received, type: instant, unit: ns, as: i64 }
                              - { name: symbol,   type: string, length: 12 }
                              - { name: venue,    type: string, length: 4 }
                              - { name: bid,      type: decimal, scale: 4, as: i64 }
                              - { name: ask,      type: decimal, scale: 4, as: i64 }
                              - { name: bidSize,  type: i32 }
                              - { name: askSize,  type: i32 }
                              - { name: last,     type: f64 }
                              - { name: open,     type: f64 }
                              - { name: volume,   type: i64 }
                              - { name: turnover, type: decimal, scale: 4, as: i64 }
                              - { name: trader,   type: i32, optional: true, absent: -1 }
                              - { name: limit,    type: decimal, scale: 4, as: i64, optional: true, absent: 0 }
                              - { name: state,    type: enum, values: [Open, Halted, Closed, Auction] }
                              - { name: firm,     type: boolean }
                              - { name: session,  type: u16 }
                            """.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Param
    public Records records;

    private Schema schema;
    private BlockWriter rowWriter;
    private BlockWriter columnWriter;
    private RecordBatch[] batches;

    @Setup
    public void setUp() {
        schema = records.schema();
        byte[] bytes = records == Records.TRADE ? trades() : quotes();
        int block = RegionDefinition.DEFAULT_BLOCK_RECORDS;
        batches = new RecordBatch[BLOCKS];
        for (int i = 0; i < BLOCKS; i++) {
            batches[i] = new RecordBatch(schema).fill(bytes, i * block * schema.recordLength(), block, i, i + 1);
        }
        rowWriter = writer(BlockEncoding.ROWS);
        columnWriter = writer(BlockEncoding.COLUMNS);
        System.out.printf(
                Locale.ROOT,
                "%s: %.3f bytes in rows, %.3f in columns%n",
                schema.name(),
                (double) write(rowWriter) / RECORDS,
                (double) write(columnWriter) / RECORDS);
    }

    private BlockWriter writer(BlockEncoding encoding) {
        return BlockWriter.of(
                new RegionDefinition(
                        "records",
                        Layout.BLOCKS,
                        0,
                        false,
                        schema,
                        List.of(schema.fields().iterator().next().name()),
                        null,
                        RegionDefinition.DEFAULT_BLOCK_RECORDS,
                        encoding),
                schema);
    }

    private byte[] trades() {
        byte[] bytes = new byte[RECORDS * schema.recordLength()];
        RecordGenerator.of(schema, SEED).fill(bytes, 0, RECORDS);
        return bytes;
    }

    private byte[] quotes() {
        Random random = new Random(SEED);
        int length = schema.recordLength();
        byte[] bytes = new byte[RECORDS * length];
        byte[][] symbols = new byte[100][];
        for (int i = 0; i < symbols.length; i++) {
            symbols[i] = "US%010d".formatted(random.nextInt(Integer.MAX_VALUE)).getBytes(StandardCharsets.ISO_8859_1);
        }
        byte[][] venues = {"XNYS".getBytes(StandardCharsets.ISO_8859_1), "XNAS".getBytes(StandardCharsets.ISO_8859_1)};
        long time = 1_764_000_000_000_000_000L;
        for (int i = 0; i < RECORDS; i++) {
            time += random.nextInt(100_000);
            int symbol = random.nextInt(symbols.length);
            int price = 100_000 + 1000 * symbol + random.nextInt(500);
            int size = 100 * (1 + random.nextInt(50));
            put(bytes, i, "sequence", i);
            put(bytes, i, "time", time);
            put(bytes, i, "received", time + random.nextInt(50_000));
            put(bytes, i, "symbol", symbols[symbol]);
            put(bytes, i, "venue", venues[random.nextInt(2)]);
            put(bytes, i, "bid", price);
            put(bytes, i, "ask", price + 1 + random.nextInt(20));
            put(bytes, i, "bidSize", size);
            put(bytes, i, "askSize", 100L * (1 + random.nextInt(50)));
            put(bytes, i, "last", Double.doubleToRawLongBits((price + random.nextInt(20)) / 10_000.0));
            put(bytes, i, "open", Double.doubleToRawLongBits((100_000 + 1000 * symbol) / 10_000.0));
            put(bytes, i, "volume", random.nextLong(10_000_000_000L));
            put(bytes, i, "turnover", (long) price * size);
            put(bytes, i, "trader", random.nextInt(4) == 0 ? -1 : random.nextInt(2000));
            put(bytes, i, "limit", random.nextInt(2) == 0 ? 0 : price + random.nextInt(2000));
            put(bytes, i, "state", random.nextInt(100) == 0 ? 1 : 0);
            put(bytes, i, "firm", random.nextInt(2));
            put(bytes, i, "session", 7);
        }
        return bytes;
    }

    private void put(byte[] bytes, int record, String field, long value) {
        int width = Objects.requireNonNull(schema.field(field)).type().bytes();
        byte[] word = new byte[Long.BYTES];
        RawBytes.putLong(word, 0, value);
        System.arraycopy(word, Long.BYTES - width, bytes, at(record, field), width);
    }

    private void put(byte[] bytes, int record, String field, byte[] value) {
        System.arraycopy(value, 0, bytes, at(record, field), value.length);
    }

    private int at(int record, String field) {
        return record * schema.recordLength()
                + Objects.requireNonNull(schema.field(field)).offset();
    }

    private long write(BlockWriter writer) {
        long length = 0;
        for (RecordBatch batch : batches) {
            writer.append(batch, 0);
            length += writer.seal(RecordBatch.NO_POSITION, RecordBatch.NO_POSITION).length;
            writer.clear();
        }
        return length;
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long rows() {
        return write(rowWriter);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long columns() {
        return write(columnWriter);
    }
}
