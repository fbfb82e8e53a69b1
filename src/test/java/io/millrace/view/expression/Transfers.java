package io.millrace.view.expression;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.expression.Transfer.Address;
import io.millrace.view.expression.Transfer.Charge;
import io.millrace.view.expression.Transfer.Party;
import io.millrace.view.expression.Transfer.Priority;
import io.millrace.view.expression.Transfer.Tax;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Random transfers. The same seed has the same values. */
final class Transfers {

    static final List<String> TEXTS = List.of("EUR", "abc", "", "Ann", "DE", "fee", "Zürich € 7", "O''Brien");

    static final Schema SCHEMA = SchemaReader.read("transfer.yml", """
        schema: transfer
        layout: compact
        fields:
          - { name: id, type: i64 }
          - { name: reference, type: string, length: 40, charset: utf8, frequent: [EUR, abc] }
          - { name: amount, type: decimal, scale: 2 }
          - { name: fee, type: decimal, scale: 2, optional: true }
          - { name: day, type: date }
          - { name: seen, type: instant, unit: ns, optional: true }
          - { name: priority, type: enum, values: [NORMAL, HIGH, URGENT], optional: true }
          - { name: urgent, type: boolean }
          - { name: rate, type: f64, optional: true }
          - { name: retries, type: i32, optional: true }
          - { name: note, type: string, length: 40, charset: utf8, optional: true }
          - { name: channel, type: string, length: 3, charset: utf8 }
          - { name: key, type: string, length: 36, optional: true }
          - name: payer
            type: group
            fields: &party
              - { name: name, type: string, length: 40, charset: utf8 }
              - { name: country, type: string, length: 40, charset: utf8, optional: true }
              - name: address
                type: group
                optional: true
                fields:
                  - { name: city, type: string, length: 40, charset: utf8 }
                  - { name: number, type: i32, optional: true }
          - name: agent
            type: group
            optional: true
            fields: *party
          - name: charges
            type: group
            repeat: many
            fields:
              - { name: type, type: string, length: 40, charset: utf8 }
              - { name: amount, type: decimal, scale: 2 }
              - name: bearer
                type: group
                optional: true
                fields: *party
              - name: taxes
                type: group
                repeat: many
                fields:
                  - { name: rate, type: f64 }
                  - { name: amount, type: decimal, scale: 2, optional: true }
          - { name: remittance, type: string, length: 40, charset: utf8, repeat: many }
          - { name: codes, type: string, length: 40, charset: utf8, repeat: many }
          - { name: marks, type: i32, repeat: many }
        """.getBytes(StandardCharsets.UTF_8));

    private static final List<BigDecimal> AMOUNTS = Stream.of(
                    "0.00", "1.00", "-0.01", "100.00", "1000.50", "92233720368547758.07", "-92233720368547758.08")
            .map(BigDecimal::new)
            .toList();
    private static final List<Double> RATES =
            List.of(0.0, -0.0, 2.5, Double.NaN, Double.POSITIVE_INFINITY, Double.MIN_VALUE, -Double.MAX_VALUE, 1.0);
    private static final List<Long> NUMBERS = List.of(0L, 1L, -1L, 5L, 100L, Long.MAX_VALUE, Long.MIN_VALUE);
    private static final List<Integer> SMALL = List.of(0, 1, -1, 5, 100, Integer.MAX_VALUE, Integer.MIN_VALUE);

    private final Random random;

    Transfers(Random random) {
        this.random = random;
    }

    <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    <T> @Nullable T orNull(Supplier<T> value) {
        return random.nextInt(3) == 0 ? null : value.get();
    }

    <T> List<T> list(int most, Supplier<T> element) {
        return Stream.generate(element).limit(random.nextInt(most + 1)).toList();
    }

    String text() {
        return oneOf(TEXTS).replace("''", "'");
    }

    BigDecimal amount() {
        return oneOf(AMOUNTS);
    }

    long number() {
        return oneOf(NUMBERS);
    }

    int small() {
        return oneOf(SMALL);
    }

    double rate() {
        return oneOf(RATES);
    }

    LocalDate day() {
        return LocalDate.of(2026, 11, 28).minusDays(random.nextInt(1000));
    }

    boolean coin() {
        return random.nextBoolean();
    }

    Transfer next() {
        Transfer transfer = new Transfer();
        transfer.setId(number());
        transfer.setReference(text());
        transfer.setAmount(amount());
        transfer.setFee(orNull(this::amount));
        transfer.setDay(coin() ? day() : LocalDate.EPOCH.minusDays(1));
        transfer.setSeen(orNull(() -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000))));
        transfer.setPriority(orNull(() -> oneOf(List.of(Priority.values()))));
        transfer.setUrgent(coin());
        transfer.setRate(orNull(this::rate));
        transfer.setRetries(orNull(this::small));
        transfer.setNote(orNull(this::text));
        transfer.setChannel(oneOf(List.of('a', '\0', '€')));
        transfer.setKey(orNull(() -> new UUID(random.nextLong(), 0)));
        transfer.setPayer(party());
        transfer.setAgent(orNull(this::party));
        transfer.setCharges(list(3, this::charge));
        transfer.setRemittance(list(3, this::text));
        // Views have the elements of a set in the order of their values.
        transfer.setCodes(new TreeSet<>(list(3, this::text)));
        transfer.setMarks(
                list(3, this::small).stream().mapToInt(Integer::intValue).toArray());
        return transfer;
    }

    private Party party() {
        Party party = new Party();
        party.setName(text());
        party.setCountry(orNull(this::text));
        party.setAddress(orNull(() -> {
            Address address = new Address();
            address.setCity(text());
            address.setNumber(orNull(this::small));
            return address;
        }));
        return party;
    }

    private Charge charge() {
        Charge charge = new Charge();
        charge.setType(text());
        charge.setAmount(amount());
        charge.setBearer(orNull(this::party));
        charge.setTaxes(list(2, () -> {
            Tax tax = new Tax();
            tax.setRate(rate());
            tax.setAmount(orNull(this::amount));
            return tax;
        }));
        return charge;
    }
}
