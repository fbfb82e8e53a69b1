package io.millrace.bench;

import static io.millrace.bench.HandWrittenCompact.decimal;
import static io.millrace.bench.HandWrittenCompact.signed;
import static io.millrace.bench.HandWrittenCompact.varint;
import static io.millrace.bench.HandWrittenCompact.varintEnd;

import io.millrace.codec.Admission;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.codec.compact.CompactFinder;
import io.millrace.codec.compact.PlanFinders;
import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.expression.BatchFilter;
import io.millrace.expression.Compiled;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.schema.Schema;
import io.millrace.store.region.BlockEncoding;
import java.math.BigDecimal;
import java.util.ArrayList;
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
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * The rule of {@link GroupsBenchmark} from stored bytes to the kept orders: compact records, whose fields are found and
 * whose rule is generated, in a batch, in blocks of a region, and in blocks with columns; a hand-written loop over the
 * same bytes; a hand-written loop over a layout of fixed offsets and strides; {@link SbeOrders}, whose codec sbe-tool
 * generates; Jackson 3, which reads objects from JSON; the formats of {@link PeerOrders}; and interpreted SpEL over
 * objects. Run it by {@code ./mvnw -Pbench verify -Dbench=Compact}. The setup prints the bytes of a record in each
 * form.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 7, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class CompactBenchmark {

    private static final String RULE =
            "id > 10 and currency != 'JPY' and limit > 1000 and legs.?[notional > 1000000 and open].size() > 0";

    /**
     * Number of orders. A processor's branch predictor learns the results of conditions on 4,096 orders that are read
     * again and again, which no feed allows.
     */
    private static final int ORDERS = 65_536;

    private static final int HEAD = 20;
    private static final int LEG = 17;

    private static final RejectSink NO_REJECTS = (_, _, reason) -> {
        throw new IllegalStateException(reason.detail());
    };

    private final GroupsData data = new GroupsData(ORDERS);
    private RecordBatch batch;
    private Admission finder;
    private Admission deferring;
    private Admission plan;
    private Admission admission;
    private BatchFilter filter;
    private byte[] fixed;
    private final List<byte[]> json = new ArrayList<>();
    private final EvaluationContext context = new StandardEvaluationContext();
    private ObjectReader reader;
    private PeerOrders peers;
    private SbeOrders sbe;
    private StoredOrders blocks;
    private StoredOrders blocksWithColumns;
    private Expression interpreted;

    /** An order as Jackson reads it. */
    public record Order(long id, String currency, BigDecimal limit, List<Leg> legs) {}

    /** A leg as Jackson reads it. */
    public record Leg(BigDecimal notional, double rate, boolean open) {}

    @Setup
    public void setUp() {
        Compiled<BatchFilter> compiled = new ExpressionCompiler(GroupsData.SCHEMA).filter(RULE);
        Schema rows = GroupsData.SCHEMA.project(compiled.reads());
        filter = new ExpressionCompiler(rows).filter(RULE).loop();
        batch = new RecordBatch(rows);
        finder = CompactFinder.of(rows);
        deferring = LayoutCodecs.of(rows).deferringFinder();
        plan = PlanFinders.of(rows);
        admission = CompactFinder.admission(rows);
        reader = new JsonMapper().readerFor(Order.class);
        fixed = new byte[ORDERS * (HEAD + GroupsData.LEGS * LEG)];
        data.selectAll(batch);
        data.json(ORDERS, json::add);
        long jsonBytes = json.stream().mapToLong(text -> text.length).sum();
        for (int i = 0; i < ORDERS; i++) {
            putFixed(data.orders().get(i), i * (HEAD + GroupsData.LEGS * LEG));
        }
        peers = new PeerOrders(json);
        sbe = new SbeOrders(data.orders());
        RecordBatch whole = new RecordBatch(GroupsData.SCHEMA);
        data.selectAll(whole);
        CompactFinder.admission(GroupsData.SCHEMA).admit(whole, NO_REJECTS);
        blocks = new StoredOrders(whole, BlockEncoding.ROWS, RULE);
        blocksWithColumns = new StoredOrders(whole, BlockEncoding.COLUMNS, RULE);
        interpreted =
                new SpelExpressionParser(new SpelParserConfiguration(SpelCompilerMode.OFF, null)).parseExpression(RULE);
        int kept = compact();
        if (kept == 0
                || kept != compactAsInQueries()
                || kept != blocks()
                || kept != blocksWithColumns()
                || kept != compactWithPlan()
                || kept != handWritten()
                || kept != fixedOffsets()
                || kept != sbe()
                || kept != jackson()
                || kept != protobuf()
                || kept != avro()
                || kept != foryRow()
                || kept != interpretedSpel()
                || kept != compactWithAdmission()) {
            throw new IllegalStateException(
                    "the arms keep " + kept + ", " + fixedOffsets() + " and " + jackson() + " orders");
        }
        System.out.println("bytes per record: compact "
                + (batch.offset(ORDERS - 1) - batch.offset(0)) / (ORDERS - 1) + ", fixed offsets "
                + (HEAD + GroupsData.LEGS * LEG) + ", SBE " + sbe.averageBytes() + ", " + peers.sizes() + ", in blocks "
                + blocks.averageBytes() + ", with columns " + blocksWithColumns.averageBytes() + ", JSON "
                + jsonBytes / ORDERS);
    }

    private void putFixed(GroupsData.Order order, int at) {
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

    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public int compact() {
        data.selectAll(batch);
        finder.admit(batch, NO_REJECTS);
        filter.apply(batch, NO_REJECTS);
        return batch.selected();
    }

    /** As a query reads stored records: elements of records that the first three conditions exclude are not read. */
    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public int compactAsInQueries() {
        data.selectAll(batch);
        deferring.admit(batch, NO_REJECTS);
        filter.apply(batch, NO_REJECTS);
        return batch.selected();
    }

    /** A query that counts the orders in blocks of a region. */
    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public int blocks() {
        return blocks.kept();
    }

    /** The same, if the region has columns of the single fields: {@code encoding: columns}. */
    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public int blocksWithColumns() {
        return blocksWithColumns.kept();
    }

    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public int compactWithAdmission() {
        data.selectAll(batch);
        admission.admit(batch, NO_REJECTS);
        filter.apply(batch, NO_REJECTS);
        return batch.selected();
    }

    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public int compactWithPlan() {
        data.selectAll(batch);
        plan.admit(batch, NO_REJECTS);
        filter.apply(batch, NO_REJECTS);
        return batch.selected();
    }

    /** Reads the compact bytes in place. The code knows the schema, reads on demand, and trusts the bytes. */
    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public int handWritten() {
        byte[] bytes = batch.bytes();
        int kept = 0;
        for (int i = 0; i < ORDERS; i++) {
            int at = batch.offset(i) + 1;
            if (signed(varint(bytes, at)) <= 10) {
                continue;
            }
            at = varintEnd(bytes, at);
            if (varint(bytes, at) == GroupsData.JPY) {
                continue;
            }
            at = varintEnd(bytes, at);
            if (decimal(varint(bytes, at)) <= 1000_00) {
                continue;
            }
            at = varintEnd(bytes, at);
            if (hasCompactLeg(bytes, varintEnd(bytes, at))) {
                kept++;
            }
        }
        return kept;
    }

    private static boolean hasCompactLeg(byte[] bytes, int legs) {
        long count = varint(bytes, legs);
        int at = varintEnd(bytes, legs);
        for (long i = 0; i < count; i++) {
            int leg = varintEnd(bytes, at);
            if ((bytes[leg] & 1) != 0 && decimal(varint(bytes, leg + 1)) > 1_000_000_00) {
                return true;
            }
            at = leg + (int) varint(bytes, at);
        }
        return false;
    }

    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public int fixedOffsets() {
        int kept = 0;
        int length = HEAD + GroupsData.LEGS * LEG;
        for (int i = 0; i < ORDERS; i++) {
            int at = i * length;
            if (RawBytes.getLong(fixed, at) > 10
                    && fixed[at + 8] != GroupsData.JPY
                    && RawBytes.getLong(fixed, at + 9) > 1000_00
                    && hasLeg(at + HEAD, fixed[at + 17])) {
                kept++;
            }
        }
        return kept;
    }

    private boolean hasLeg(int first, int count) {
        for (int i = 0, at = first; i < count; i++, at += LEG) {
            if (RawBytes.getLong(fixed, at) > 1_000_000_00 && fixed[at + 16] != 0) {
                return true;
            }
        }
        return false;
    }

    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public int sbe() {
        return sbe.kept();
    }

    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public int jackson() {
        BigDecimal limit = new BigDecimal(1000);
        BigDecimal notional = new BigDecimal(1_000_000);
        int kept = 0;
        for (byte[] text : json) {
            Order order = reader.readValue(text);
            if (order.id() > 10
                    && !order.currency().equals("JPY")
                    && order.limit().compareTo(limit) > 0
                    && order.legs().stream().anyMatch(leg -> leg.notional().compareTo(notional) > 0 && leg.open())) {
                kept++;
            }
        }
        return kept;
    }

    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public int protobuf() {
        return peers.protobuf();
    }

    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public int avro() {
        return peers.avro();
    }

    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public int foryRow() {
        return peers.fory();
    }

    /** The objects exist already: only the rule is measured. */
    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public int interpretedSpel() {
        int kept = 0;
        for (GroupsData.Order order : data.orders()) {
            if (Boolean.TRUE.equals(interpreted.getValue(context, order, Boolean.class))) {
                kept++;
            }
        }
        return kept;
    }
}
