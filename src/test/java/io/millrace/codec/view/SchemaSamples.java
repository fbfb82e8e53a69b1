package io.millrace.codec.view;

import java.util.List;
import java.util.Random;

/** Random schemas as YAML, of the fixed and the compact layout, with nested and repeating parts. */
final class SchemaSamples {

    private static final List<String> PLACED = List.of(
            "decimal, scale: 2, as: i64",
            "decimal, scale: 0, as: u16",
            "decimal, scale: 5, as: i32, order: little",
            "decimal, scale: 1, as: u64",
            "date, as: u16",
            "date, as: i32, order: little",
            "date, as: i64",
            "instant, unit: ms, as: i64",
            "instant, unit: s, as: u32",
            "instant, unit: ns, as: i64",
            "enum, as: u16, values: { 1: One, 300: Two }",
            "f64, order: little",
            "f32, order: little",
            "u16, bits: 3..9",
            "i32, min: -5, max: 5",
            "boolean, bits: 7");

    private static final List<String> ANY = List.of(
            "f32",
            "f64",
            "boolean",
            "enum, values: [Buy, Sell]",
            "enum, values: ['1', EUR, USD]",
            "string, length: 5",
            "string, length: 7, charset: utf8",
            "string, length: 3, pattern: '[a-z]+'",
            "bytes, length: 4",
            "ipv4",
            "ipv6",
            "date",
            "instant, unit: ms",
            "instant, unit: us",
            "decimal, scale: 3");

    private final Random random;
    private final boolean compact;
    private final StringBuilder yaml = new StringBuilder();
    private int names;

    private SchemaSamples(Random random, boolean compact) {
        this.random = random;
        this.compact = compact;
    }

    /** Returns the text of a schema, the same for each seed. */
    static String yaml(String name, boolean compact, long seed) {
        SchemaSamples samples = new SchemaSamples(new Random(seed), compact);
        samples.yaml.append("schema: ").append(name);
        samples.yaml.append("\nlayout: ").append(compact ? "compact" : "fixed").append("\nfields:\n");
        samples.fields("  ", 0);
        return samples.yaml.toString();
    }

    private void fields(String indent, int depth) {
        int count = 2 + random.nextInt(depth == 0 ? 12 : 4);
        for (int i = 0; i < count; i++) {
            if (depth < 3 && random.nextInt(5) == 0) {
                group(indent, depth);
            } else {
                yaml.append(indent)
                        .append("- { name: ")
                        .append(name())
                        .append(", type: ")
                        .append(type());
                yaml.append(compact && random.nextInt(6) == 0 ? ", repeat: 9" : optional())
                        .append(" }\n");
            }
        }
    }

    private void group(String indent, int depth) {
        yaml.append(indent).append("- name: ").append(name()).append('\n');
        yaml.append(indent).append("  type: group\n");
        if (random.nextBoolean()) {
            yaml.append(indent)
                    .append("  repeat: ")
                    .append(1 + random.nextInt(4))
                    .append('\n');
        } else if (compact && random.nextBoolean()) {
            yaml.append(indent).append("  optional: true\n");
        }
        yaml.append(indent).append("  fields:\n");
        fields(indent + "    ", depth + 1);
    }

    private String name() {
        String[] forms = {"f", "legs", "isOpen", "aB_", "value_"};
        return forms[random.nextInt(forms.length)] + names++;
    }

    private String optional() {
        if (random.nextInt(3) > 0) {
            return "";
        }
        return ", optional: true" + (compact || random.nextBoolean() ? "" : ", absent: flag");
    }

    private String type() {
        int choice = random.nextInt(compact ? 2 : 3);
        if (choice == 0) {
            String order = !compact && random.nextInt(4) == 0 ? ", order: little" : "";
            return (random.nextBoolean() ? "i" : "u") + 8 * (1 + random.nextInt(8)) + order;
        }
        List<String> types = choice == 1 ? ANY : PLACED;
        return types.get(random.nextInt(types.size()));
    }
}
