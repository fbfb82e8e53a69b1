package io.millrace.bench;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.compact.CompactFinder;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.store.block.BlockChecks;
import io.millrace.store.block.BlockWriter;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Query;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.scan.AggregateScan;
import io.millrace.store.scan.QueryScan;
import io.millrace.store.scan.RecordScan;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
 * Queries of the orders with ten legs of {@link GroupsData} in blocks of 4,096: compact records alone, with columns of
 * their three single fields next to them, and the same orders in the fixed layout, in rows and in columns. Run it by
 * {@code ./mvnw -Pbench verify -Dbench=CompactColumns}. Times are for each stored order, on one core, with checksums
 * already verified. The setup prints the bytes of an order in each form, and fails if the answers differ.
 *
 * <p>{@code flat} queries read the single fields only. The {@code nested} one selects by two of them and by the legs;
 * {@code legsOnly} reads nothing but legs. {@code write} arms append the orders to a block and seal it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 9, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class CompactColumnsBenchmark {

    private static final int BLOCKS = 16;
    private static final int STORED = BLOCKS * GroupsData.ORDERS;
    private static final int HEAD = 20;
    private static final int LEG = 17;
    private static final int FIXED = HEAD + GroupsData.LEGS * LEG;

    private static final Query FLAT = new Query(
            "id > 500 and currency == 'GBP' and limit > 1000", List.of("limit"), List.of("limit desc", "id"), 1);
    private static final AggregateQuery SUMS =
            new AggregateQuery("id > 500 and limit > 1000", List.of("currency"), List.of("count()", "sum(limit)"), 10);
    private static final String LEGS = "legs.?[notional > 1000000 and open].size() > 0";
    private static final Query NESTED =
            new Query("id > 500 and currency == 'GBP' and " + LEGS, List.of("limit"), List.of("limit desc", "id"), 1);
    private static final Query LEGS_ONLY = new Query(LEGS, List.of("limit"), List.of("limit desc", "id"), 1);

    /** Blocks of one region, and the compiled queries. */
    private static final class Stored {
        private final RegionDefinition region;
        private final List<byte[]> blocks = new ArrayList<>();
        private final BlockChecks checks = new BlockChecks();
        private final RecordBatch batch;
        private final BlockWriter writer;

        Stored(Schema schema, RecordBatch batch, BlockEncoding encoding) {
            this.batch = batch;
            region = new RegionDefinition(
                    "orders", Layout.BLOCKS, 0, false, schema, List.of(), null, GroupsData.ORDERS, encoding);
            writer = BlockWriter.of(region, schema);
            for (int i = 0; i < BLOCKS; i++) {
                blocks.add(write());
            }
            System.out.printf(
                    Locale.ROOT,
                    "%s, %s: %.2f bytes an order%n",
                    schema.layout().name(),
                    encoding.tag(),
                    (double) blocks.getFirst().length / GroupsData.ORDERS);
        }

        byte[] write() {
            writer.append(batch, 0);
            byte[] block = writer.seal(RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
            writer.clear();
            return block;
        }

        QueryScan scan(Query query) {
            return QueryScan.of(region, query, FunctionRegistry.empty());
        }

        AggregateScan scan(AggregateQuery query) {
            return AggregateScan.of(region, query, FunctionRegistry.empty());
        }

        void run(RecordScan scan) {
            for (int i = 0; i < BLOCKS; i++) {
                scan.block(i, blocks.get(i), checks);
            }
        }

        long first(QueryScan scan) {
            scan.begin(1, Integer.MAX_VALUE);
            run(scan);
            return scan.part().keys()[0];
        }

        int groups(AggregateScan scan) {
            scan.reset();
            run(scan);
            return scan.part().size();
        }
    }

    private Stored rows;
    private Stored columns;
    private Stored fixedRows;
    private Stored fixedColumns;
    private QueryScan flatRows;
    private QueryScan flatColumns;
    private QueryScan flatFixedRows;
    private QueryScan flatFixedColumns;
    private AggregateScan sumsRows;
    private AggregateScan sumsColumns;
    private AggregateScan sumsFixedRows;
    private AggregateScan sumsFixedColumns;
    private QueryScan nestedRows;
    private QueryScan nestedColumns;
    private QueryScan legsRows;
    private QueryScan legsColumns;

    @Setup
    public void setUp() {
        GroupsData data = new GroupsData();
        RecordBatch compact = new RecordBatch(GroupsData.SCHEMA);
        data.selectAll(compact);
        CompactFinder.admission(GroupsData.SCHEMA).admit(compact, (_, _, reason) -> {
            throw new IllegalStateException(reason.detail());
        });
        rows = new Stored(GroupsData.SCHEMA, compact, BlockEncoding.ROWS);
        columns = new Stored(GroupsData.SCHEMA, compact, BlockEncoding.COLUMNS);
        Schema schema = fixedSchema();
        RecordBatch fixed = new RecordBatch(schema)
                .fill(fixed(data), 0, GroupsData.ORDERS, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
        fixedRows = new Stored(schema, fixed, BlockEncoding.ROWS);
        fixedColumns = new Stored(schema, fixed, BlockEncoding.COLUMNS);
        flatRows = rows.scan(FLAT);
        flatColumns = columns.scan(FLAT);
        flatFixedRows = fixedRows.scan(FLAT);
        flatFixedColumns = fixedColumns.scan(FLAT);
        sumsRows = rows.scan(SUMS);
        sumsColumns = columns.scan(SUMS);
        sumsFixedRows = fixedRows.scan(SUMS);
        sumsFixedColumns = fixedColumns.scan(SUMS);
        nestedRows = rows.scan(NESTED);
        nestedColumns = columns.scan(NESTED);
        legsRows = rows.scan(LEGS_ONLY);
        legsColumns = columns.scan(LEGS_ONLY);
        long flat = flatCompactRows();
        if (flat != flatCompactColumns()
                || flat != flatFixedRows()
                || flat != flatFixedColumns()
                || nestedCompactRows() != nestedCompactColumns()
                || legsOnlyCompactRows() != legsOnlyCompactColumns()
                || sumsCompactRows() != 4
                || sumsCompactColumns() != 4
                || sumsFixedRows() != 4
                || sumsFixedColumns() != 4) {
            throw new IllegalStateException("the answers differ");
        }
    }

    private static Schema fixedSchema() {
        FieldType amount = new FieldType.DecimalType(IntStorage.of(Long.BYTES, true, ByteOrder.BIG_ENDIAN), 2);
        FieldType flag = new FieldType.BooleanType(IntStorage.of(1, false, ByteOrder.BIG_ENDIAN));
        List<Field> fields = new ArrayList<>(List.of(
                Field.of("id", new FieldType.IntegerType(IntStorage.of(Long.BYTES, true, ByteOrder.BIG_ENDIAN)), 0),
                Field.of(
                        "currency",
                        new FieldType.EnumType(
                                IntStorage.of(1, false, ByteOrder.BIG_ENDIAN),
                                Dictionary.of("EUR", "GBP", "JPY", "USD")),
                        8),
                Field.of("limit", amount, 9),
                Field.of("count", new FieldType.IntegerType(IntStorage.of(1, false, ByteOrder.BIG_ENDIAN)), 17)));
        for (int i = 0; i < GroupsData.LEGS; i++) {
            int at = HEAD + i * LEG;
            fields.add(Field.of("notional" + i, amount, at));
            fields.add(Field.of("rate" + i, new FieldType.FloatType(Double.BYTES, ByteOrder.BIG_ENDIAN), at + 8));
            fields.add(Field.of("open" + i, flag, at + 16));
        }
        return new Schema("order", FIXED, fields, List.of());
    }

    private static byte[] fixed(GroupsData data) {
        byte[] fixed = new byte[GroupsData.ORDERS * FIXED];
        for (int i = 0; i < GroupsData.ORDERS; i++) {
            GroupsData.Order order = data.orders().get(i);
            int at = i * FIXED;
            RawBytes.putLong(fixed, at, order.getId());
            fixed[at + 8] = (byte) List.of("EUR", "GBP", "JPY", "USD").indexOf(order.getCurrency());
            RawBytes.putLong(fixed, at + 9, order.getLimit().unscaledValue().longValueExact());
            fixed[at + 17] = (byte) order.getLegs().size();
            int leg = at + HEAD;
            for (GroupsData.Leg each : order.getLegs()) {
                RawBytes.putLong(fixed, leg, each.getNotional().unscaledValue().longValueExact());
                RawBytes.putLong(fixed, leg + 8, Double.doubleToRawLongBits(each.getRate()));
                fixed[leg + 16] = (byte) (each.isOpen() ? 1 : 0);
                leg += LEG;
            }
        }
        return fixed;
    }

    @Benchmark
    @OperationsPerInvocation(STORED)
    public long flatCompactRows() {
        return rows.first(flatRows);
    }

    @Benchmark
    @OperationsPerInvocation(STORED)
    public long flatCompactColumns() {
        return columns.first(flatColumns);
    }

    @Benchmark
    @OperationsPerInvocation(STORED)
    public long flatFixedRows() {
        return fixedRows.first(flatFixedRows);
    }

    @Benchmark
    @OperationsPerInvocation(STORED)
    public long flatFixedColumns() {
        return fixedColumns.first(flatFixedColumns);
    }

    @Benchmark
    @OperationsPerInvocation(STORED)
    public int sumsCompactRows() {
        return rows.groups(sumsRows);
    }

    @Benchmark
    @OperationsPerInvocation(STORED)
    public int sumsCompactColumns() {
        return columns.groups(sumsColumns);
    }

    @Benchmark
    @OperationsPerInvocation(STORED)
    public int sumsFixedRows() {
        return fixedRows.groups(sumsFixedRows);
    }

    @Benchmark
    @OperationsPerInvocation(STORED)
    public int sumsFixedColumns() {
        return fixedColumns.groups(sumsFixedColumns);
    }

    @Benchmark
    @OperationsPerInvocation(STORED)
    public long nestedCompactRows() {
        return rows.first(nestedRows);
    }

    @Benchmark
    @OperationsPerInvocation(STORED)
    public long nestedCompactColumns() {
        return columns.first(nestedColumns);
    }

    @Benchmark
    @OperationsPerInvocation(STORED)
    public long legsOnlyCompactRows() {
        return rows.first(legsRows);
    }

    @Benchmark
    @OperationsPerInvocation(STORED)
    public long legsOnlyCompactColumns() {
        return columns.first(legsColumns);
    }

    @Benchmark
    @OperationsPerInvocation(GroupsData.ORDERS)
    public byte[] writeCompactRows() {
        return rows.write();
    }

    @Benchmark
    @OperationsPerInvocation(GroupsData.ORDERS)
    public byte[] writeCompactColumns() {
        return columns.write();
    }
}
