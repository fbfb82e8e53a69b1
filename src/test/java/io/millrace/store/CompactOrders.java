package io.millrace.store;

import io.millrace.codec.json.JsonToCompact;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.StringJoiner;

/** Orders with legs, as compact records: single fields of each type, absent values and groups, texts short and long. */
public final class CompactOrders {

    /** The fields, to which tests append others. */
    public static final String FIELDS = """
            schema: order
            layout: compact
            fields:
              - { name: id, type: i64 }
              - { name: currency, type: enum, values: [EUR, GBP, JPY, USD] }
              - { name: limit, type: decimal, scale: 2, optional: true }
              - { name: rate, type: f64, optional: true }
              - { name: made, type: date }
              - { name: due, type: date, optional: true }
              - { name: open, type: boolean }
              - { name: kind, type: enum, values: { 1: SPOT, 5: SWAP, 200: OPTION }, optional: true }
              - { name: desk, type: string, length: 4, optional: true }
              - { name: quantity, type: u64 }
              - name: party
                type: group
                optional: true
                fields:
                  - { name: rank, type: i32 }
                  - { name: country, type: string, length: 2, optional: true }
                  - { name: name, type: string, length: 20 }
              - { name: note, type: string, length: 30, optional: true }
              - name: legs
                type: group
                repeat: many
                fields:
                  - { name: notional, type: decimal, scale: 2 }
                  - { name: open, type: boolean }
            """;

    public static final Schema SCHEMA = schema(FIELDS);

    private CompactOrders() {}

    /** A schema from its text. */
    public static Schema schema(String text) {
        String name = text.substring("schema: ".length(), text.indexOf('\n'));
        return SchemaReader.read(name + ".yml", text.getBytes(StandardCharsets.UTF_8));
    }

    /** Orders in JSON, whose ids begin with a number. */
    public static List<String> json(long seed, int first, int count) {
        Random random = new Random(seed);
        List<String> orders = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            orders.add(order(random, first + i));
        }
        return orders;
    }

    private static String order(Random random, int id) {
        StringJoiner fields = new StringJoiner(",", "{", "}");
        LocalDate made = LocalDate.of(2026, 1, 1).plusDays(id / 10);
        add(fields, "id", id);
        add(fields, "currency", text(oneOf(random, "EUR", "GBP", "JPY", "USD")));
        if (random.nextInt(4) > 0) {
            add(fields, "limit", decimal(random.nextInt(300_000)));
        }
        if (random.nextInt(3) > 0) {
            add(fields, "rate", random.nextInt(10_000) / 10_000.0);
        }
        add(fields, "made", text(made.toString()));
        if (random.nextBoolean()) {
            add(fields, "due", text(made.plusDays(random.nextInt(4)).toString()));
        }
        add(fields, "open", random.nextBoolean());
        if (random.nextBoolean()) {
            add(fields, "kind", text(oneOf(random, "SPOT", "SWAP", "OPTION")));
        }
        if (random.nextBoolean()) {
            add(fields, "desk", text(oneOf(random, "", "D1", "D2", "LDN4")));
        }
        add(fields, "quantity", random.nextInt(50));
        if (random.nextInt(3) > 0) {
            String country = random.nextBoolean() ? "\"country\":\"" + oneOf(random, "DE", "FR") + "\"," : "";
            add(
                    fields,
                    "party",
                    "{\"rank\":" + random.nextInt(4) + "," + country + "\"name\":\"party " + random.nextInt(9) + "\"}");
        }
        if (random.nextBoolean()) {
            add(fields, "note", text("note " + random.nextInt(20)));
        }
        StringJoiner legs = new StringJoiner(",", "[", "]");
        for (int i = random.nextInt(5); i > 0; i--) {
            legs.add("{\"notional\":" + decimal(random.nextInt(2_000_000)) + ",\"open\":" + random.nextBoolean() + "}");
        }
        add(fields, "legs", legs);
        return fields.toString();
    }

    private static void add(StringJoiner fields, String name, Object value) {
        fields.add("\"" + name + "\":" + value);
    }

    private static String text(String value) {
        return "\"" + value + "\"";
    }

    private static String decimal(int hundredths) {
        return String.format(Locale.ROOT, "%d.%02d", hundredths / 100, hundredths % 100);
    }

    private static String oneOf(Random random, String... texts) {
        return texts[random.nextInt(texts.length)];
    }

    /** Records of JSON objects. */
    public static List<byte[]> records(Schema schema, List<String> json) {
        JsonToCompact writer = new JsonToCompact(schema);
        List<byte[]> records = new ArrayList<>();
        for (String text : json) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            writer.encoder().clear();
            writer.append(bytes, 0, bytes.length);
            records.add(writer.encoder().toBytes());
        }
        return records;
    }
}
