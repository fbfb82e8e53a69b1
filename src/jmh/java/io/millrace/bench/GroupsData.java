package io.millrace.bench;

import io.millrace.codec.ChildRows;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.compact.CompactEncoder;
import io.millrace.codec.compact.CompactFinder;
import io.millrace.codec.json.CompactToJson;
import io.millrace.codec.json.JsonBuffer;
import io.millrace.codec.json.JsonForm;
import io.millrace.schema.Field;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Orders with legs for {@link GroupsBenchmark}, as objects and as records of the compact layout. */
public final class GroupsData {

    static final int ORDERS = 4096;
    static final int LEGS = 10;

    static final Schema SCHEMA = SchemaReader.read("order.yml", """
            schema: order
            layout: compact
            fields:
              - { name: id, type: i64 }
              - { name: currency, type: enum, values: [EUR, GBP, JPY, USD] }
              - { name: limit, type: decimal, scale: 2 }
              - name: legs
                type: group
                repeat: many
                fields:
                  - { name: notional, type: decimal, scale: 2 }
                  - { name: rate, type: f64 }
                  - { name: open, type: boolean }
            """.getBytes(StandardCharsets.UTF_8));

    private static final RepeatedGroup ELEMENTS = SCHEMA.groups().getFirst();
    private static final List<String> CURRENCIES = List.of("EUR", "GBP", "JPY", "USD");

    /** Offsets in rows. */
    static final int ID = offset(SCHEMA.field("id"));

    static final int CURRENCY = offset(SCHEMA.field("currency"));
    static final int LIMIT = offset(SCHEMA.field("limit"));
    static final int NOTIONAL = offset(ELEMENTS.field("legs[].notional"));
    static final int RATE = offset(ELEMENTS.field("legs[].rate"));
    static final int OPEN = offset(ELEMENTS.field("legs[].open"));

    static final int JPY = CURRENCIES.indexOf("JPY");

    private final List<Order> orders = new ArrayList<>();
    private final int[] bounds;
    private final byte[] bytes;

    GroupsData() {
        this(ORDERS);
    }

    /** @param count number of orders */
    GroupsData(int count) {
        bounds = new int[count + 1];
        Random random = new Random(1);
        CompactEncoder encoder = new CompactEncoder(SCHEMA);
        for (int i = 0; i < count; i++) {
            Order order = order(random);
            orders.add(order);
            encode(order, encoder);
            bounds[i + 1] = encoder.length();
        }
        bytes = encoder.toBytes();
    }

    private static int offset(@Nullable Field field) {
        return Objects.requireNonNull(field).offset();
    }

    private static Order order(Random random) {
        List<Leg> legs = new ArrayList<>();
        boolean selected = random.nextInt(8) == 0;
        int last = random.nextInt(LEGS);
        for (int i = 0; i < LEGS; i++) {
            boolean matching = selected && i == last;
            boolean large = matching || random.nextBoolean();
            boolean open = matching || !large;
            legs.add(new Leg(
                    BigDecimal.valueOf(random.nextInt(100_000_000) + (large ? 100_000_001L : 0), 2),
                    random.nextInt(1, 100_000) / 10_000.0,
                    open));
        }
        return new Order(
                random.nextInt(1000),
                CURRENCIES.get(random.nextInt(CURRENCIES.size())),
                BigDecimal.valueOf(random.nextInt(300_000), 2),
                legs);
    }

    private static void encode(Order order, CompactEncoder encoder) {
        byte[] row = encoder.blank();
        RawBytes.putLong(row, ID, order.id);
        RawBytes.putShort(row, CURRENCY, (short) CURRENCIES.indexOf(order.currency));
        RawBytes.putLong(row, LIMIT, order.limit.unscaledValue().longValueExact());
        ChildRows legs = new ChildRows(ELEMENTS.rowLength());
        legs.begin(0);
        byte[] blank = new byte[ELEMENTS.rowLength()];
        for (Leg leg : order.legs) {
            int at = legs.add(0, blank) * ELEMENTS.rowLength();
            RawBytes.putLong(
                    legs.rows(), at + NOTIONAL, leg.notional.unscaledValue().longValueExact());
            RawBytes.putLong(legs.rows(), at + RATE, Double.doubleToRawLongBits(leg.rate));
            legs.rows()[at + OPEN] = (byte) (leg.open ? 1 : 0);
        }
        encoder.encode(row, 0, List.of(legs), 0);
    }

    /** Returns a batch of all orders, whose rows are written. */
    RecordBatch batch() {
        RecordBatch batch = new RecordBatch(SCHEMA);
        selectAll(batch);
        CompactFinder.admission(SCHEMA).admit(batch, (_, _, reason) -> {
            throw new IllegalStateException(reason.detail());
        });
        return batch;
    }

    /** Selects all orders; their rows stay as they are. */
    void selectAll(RecordBatch batch) {
        batch.fill(bytes, bounds, orders.size(), RecordBatch.NO_POSITION);
    }

    /** Passes the first orders as JSON. */
    void json(int count, Consumer<byte[]> receiver) {
        CompactToJson writer = new CompactToJson(SCHEMA, JsonForm.FILE);
        JsonBuffer text = new JsonBuffer();
        for (int i = 0; i < count; i++) {
            text.clear();
            writer.write(bytes, bounds[i], bounds[i + 1], text);
            receiver.accept(text.toBytes());
        }
    }

    List<Order> orders() {
        return orders;
    }

    /** An order as an object. */
    public static final class Order {
        private final long id;
        private final String currency;
        private final BigDecimal limit;
        private final List<Leg> legs;

        Order(long id, String currency, BigDecimal limit, List<Leg> legs) {
            this.id = id;
            this.currency = currency;
            this.limit = limit;
            this.legs = List.copyOf(legs);
        }

        public long getId() {
            return id;
        }

        public String getCurrency() {
            return currency;
        }

        public BigDecimal getLimit() {
            return limit;
        }

        public List<Leg> getLegs() {
            return legs;
        }
    }

    /** A leg as an object. */
    public static final class Leg {
        private final BigDecimal notional;
        private final double rate;
        private final boolean open;

        Leg(BigDecimal notional, double rate, boolean open) {
            this.notional = notional;
            this.rate = rate;
            this.open = open;
        }

        public BigDecimal getNotional() {
            return notional;
        }

        public double getRate() {
            return rate;
        }

        public boolean isOpen() {
            return open;
        }
    }
}
