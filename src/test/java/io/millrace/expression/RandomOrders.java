package io.millrace.expression;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Random records of {@link GroupRecords#ORDERS}, as stock SpEL sees them. Few values, so that many are equal. */
final class RandomOrders {

    private static final List<String> CURRENCIES = List.of("EUR", "GBP", "USD");

    private final Random random;

    RandomOrders(Random random) {
        this.random = random;
    }

    Map<String, @Nullable Object> order() {
        Map<String, @Nullable Object> order = new HashMap<>();
        order.put("id", (long) random.nextInt(6));
        order.put("limit", orNull(() -> decimal(2)));
        order.put("currency", oneOf(CURRENCIES));
        order.put("party", orNull(() -> {
            Map<String, @Nullable Object> party = party();
            party.put("name", orNull(() -> oneOf(List.of("x", "ann", "böb"))));
            party.put("address", Map.of("city", oneOf(List.of("Rome", "Bern"))));
            party.put("marks", list(() -> (long) random.nextInt(4)));
            party.put("lines", list(() -> {
                Map<String, @Nullable Object> line = new HashMap<>();
                line.put("amount", orNull(() -> decimal(2)));
                return line;
            }));
            return party;
        }));
        order.put("tags", list(() -> oneOf(List.of("x", "yy", "é"))));
        order.put("sizes", list(() -> (long) random.nextInt(4)));
        order.put("legs", list(this::leg));
        return order;
    }

    private Map<String, @Nullable Object> leg() {
        Map<String, @Nullable Object> leg = new HashMap<>();
        leg.put("amount", decimal(2));
        leg.put("bonus", orNull(() -> decimal(3)));
        leg.put("quantity", random.nextInt(7) - 3L);
        leg.put("rate", (random.nextInt(9) - 4) / 4.0);
        leg.put("currency", oneOf(CURRENCIES));
        leg.put("name", orNull(() -> oneOf(List.of("x", "ann", "é"))));
        leg.put("open", random.nextBoolean());
        leg.put("day", LocalDate.of(2026, 1, 1).plusDays(random.nextInt(4)));
        leg.put("at", orNull(() -> Instant.ofEpochMilli(random.nextInt(4))));
        leg.put("party", orNull(this::party));
        leg.put("codes", list(() -> (long) random.nextInt(4)));
        leg.put("fees", list(() -> Map.of("amount", decimal(2), "kind", oneOf(List.of("TAX", "DUTY")))));
        return leg;
    }

    private Map<String, @Nullable Object> party() {
        Map<String, @Nullable Object> party = new HashMap<>();
        party.put("name", oneOf(List.of("x", "ann", "böb")));
        party.put("rank", (long) random.nextInt(4));
        return party;
    }

    private BigDecimal decimal(int scale) {
        return BigDecimal.valueOf(random.nextInt(9) - 3, 0)
                .setScale(scale)
                .add(random.nextInt(3) == 0 ? BigDecimal.valueOf(5, scale) : BigDecimal.ZERO);
    }

    private <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private <T> @Nullable T orNull(Supplier<T> value) {
        return random.nextInt(3) == 0 ? null : value.get();
    }

    private <T> List<T> list(Supplier<T> element) {
        return Stream.generate(element).limit(random.nextInt(5)).toList();
    }
}
