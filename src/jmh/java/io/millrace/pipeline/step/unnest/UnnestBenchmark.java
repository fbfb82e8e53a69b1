package io.millrace.pipeline.step.unnest;

import io.millrace.codec.ChildRows;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.compact.CompactFinder;
import io.millrace.codec.json.JsonToCompact;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
 * The copies that the step {@code unnest} makes of the elements of {@value #ORDERS} orders with {@value #LEGS} legs
 * each, and a hand-written loop for the same schema. Times are for an element. The rows are written before the
 * measurement. Run it by {@code ./mvnw -Pbench verify -Dbench=Unnest}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class UnnestBenchmark {

    private static final int ORDERS = 1024;
    private static final int LEGS = 10;

    private static final String SCHEMA = """
            schema: order
            layout: compact
            fields:
              - { name: id, type: i64 }
              - { name: customer, type: string, length: 12 }
              - { name: limit, type: i64 }
              - name: legs
                type: group
                repeat: many
                fields:
                  - { name: notional, type: i64 }
                  - { name: rate, type: f64 }
            """;

    /** Lengths in bytes of the row of an order, the index of an element, and the row of a leg. */
    private static final int ORDER = 28;

    private static final int INDEX = 4;
    private static final int LEG = 16;
    private static final int LENGTH = ORDER + INDEX + LEG;

    private RecordBatch batch;
    private ElementCopy copy;
    private int[] rows;
    private final byte[] elements = new byte[ORDERS * LEGS * LENGTH];

    @Setup
    public void setUp() {
        Schema schema = SchemaReader.read("order", SCHEMA.getBytes(StandardCharsets.UTF_8));
        JsonToCompact writer = new JsonToCompact(schema);
        int[] bounds = new int[ORDERS + 1];
        for (int i = 0; i < ORDERS; i++) {
            String leg = "{\"notional\":" + i + ",\"rate\":0.5}";
            String order = "{\"id\":" + i + ",\"customer\":\"c" + i + "\",\"limit\":9,\"legs\":["
                    + String.join(",", Collections.nCopies(LEGS, leg)) + "]}";
            byte[] json = order.getBytes(StandardCharsets.UTF_8);
            writer.append(json, 0, json.length);
            bounds[i + 1] = writer.encoder().length();
        }
        batch = new RecordBatch(schema);
        batch.fill(writer.encoder().toBytes(), bounds, ORDERS, RecordBatch.NO_POSITION);
        CompactFinder.admission(schema).admit(batch, (_, _, reason) -> {
            throw new IllegalStateException(reason.detail());
        });
        copy = ElementCopy.of(schema, 0, List.of());
        rows = copy.newRows();
        byte[] copied = copied().clone();
        Arrays.fill(elements, (byte) 0);
        if (copy.length() != LENGTH || !Arrays.equals(copied, byHand())) {
            throw new IllegalStateException("the arms make different records");
        }
    }

    @Benchmark
    @OperationsPerInvocation(ORDERS * LEGS)
    public byte[] copied() {
        int at = 0;
        for (int i = 0; i < ORDERS; i++) {
            copy.write(batch, i, rows, elements, at);
            at += (int) copy.count(batch, i) * LENGTH;
        }
        return elements;
    }

    @Benchmark
    @OperationsPerInvocation(ORDERS * LEGS)
    public byte[] byHand() {
        byte[] orders = batch.added();
        ChildRows legs = batch.childRows().getFirst();
        byte[] legRows = legs.rows();
        int[] bounds = legs.bounds();
        int at = 0;
        for (int i = 0; i < ORDERS; i++) {
            int first = bounds[2 * i];
            for (int leg = first; leg < bounds[2 * i + 1]; leg++) {
                System.arraycopy(orders, i * ORDER, elements, at, ORDER);
                RawBytes.putInt(elements, at + ORDER, leg - first);
                System.arraycopy(legRows, leg * LEG, elements, at + ORDER + INDEX, LEG);
                at += LENGTH;
            }
        }
        return elements;
    }
}
