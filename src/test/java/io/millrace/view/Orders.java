package io.millrace.view;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Orders in both layouts, and an implementation without bytes. */
public final class Orders {

    private static final String FIELDS = """
              - { name: id, type: i64 }
              - { name: quantity, type: u16, min: 1, max: 1000 }
              - { name: day, type: date }
              - { name: seen, type: instant, unit: ms }
              - { name: ratio, type: f64 }
              - { name: open, type: boolean }
              - { name: side, type: enum, values: [Buy, Sell] }
              - { name: note, type: string, length: 10, optional: true, pattern: "[a-z]*" }
            """;

    public static final Schema FIXED = schema("fixed", FIELDS + """
              - name: party
                type: group
                fields:
                  - { name: name, type: string, length: 12 }
                  - { name: rating, type: i32, optional: true }
              - name: legs
                type: group
                repeat: 2
                fields:
                  - { name: amount, type: decimal, scale: 2 }
                  - { name: side, type: enum, values: [Buy, Sell] }
            """);
    public static final Schema COMPACT = schema("compact", FIELDS + """
              - name: party
                type: group
                optional: true
                fields:
                  - { name: name, type: string, length: 12 }
                  - { name: rating, type: i32, optional: true }
              - name: legs
                type: group
                repeat: many
                fields:
                  - { name: amount, type: decimal, scale: 2 }
                  - { name: side, type: enum, values: [Buy, Sell] }
              - { name: marks, type: i32, repeat: 3 }
            """);

    private Orders() {}

    public static Schema schema(String layout, String fields) {
        String text = "schema: orders\nlayout: " + layout + "\nfields:\n" + fields;
        return SchemaReader.read("orders.yml", text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sets all values of an order. */
    public static Order fill(Order order, int id) {
        order.setId(id);
        order.setQuantity(1 + id % 1000);
        order.setDay(LocalDate.of(2024, 2, 29).plusDays(id % 1000));
        order.setSeen(Instant.ofEpochMilli(1_700_000_000_123L + id));
        order.setRatio(id / 8.0);
        order.setOpen(id % 2 == 0);
        order.setSide(id % 3 == 0 ? Order.Side.BUY : Order.Side.SELL);
        order.setNote(id % 5 == 0 ? Optional.empty() : Optional.of("note"));
        order.setParty(new PlainParty("name" + id % 10, id % 7 == 0 ? null : id));
        order.setLegs(List.of(
                new PlainLeg(new BigDecimal("1.25"), Order.Side.BUY),
                new PlainLeg(BigDecimal.valueOf(id, 2), Order.Side.SELL)));
        return order;
    }

    /** A party without bytes. */
    static final class PlainParty implements Order.Party {
        private String name;
        private @Nullable Integer rating;

        PlainParty(String name, @Nullable Integer rating) {
            this.name = name;
            this.rating = rating;
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public void setName(String name) {
            this.name = name;
        }

        @Override
        public @Nullable Integer getRating() {
            return rating;
        }

        @Override
        public void setRating(@Nullable Integer rating) {
            this.rating = rating;
        }
    }

    /** A leg without bytes. */
    static final class PlainLeg implements Order.Leg {
        private BigDecimal amount;
        private Order.Side side;

        PlainLeg(BigDecimal amount, Order.Side side) {
            this.amount = amount;
            this.side = side;
        }

        @Override
        public BigDecimal getAmount() {
            return amount;
        }

        @Override
        public Order.Leg setAmount(BigDecimal amount) {
            this.amount = amount;
            return this;
        }

        @Override
        public Order.Side side() {
            return side;
        }

        @Override
        public void setSide(Order.Side side) {
            this.side = side;
        }
    }
}
