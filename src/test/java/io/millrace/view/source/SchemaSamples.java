package io.millrace.view.source;

import java.util.ArrayList;
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
    private final StringBuilder types = new StringBuilder();
    private final List<String> typeNames = new ArrayList<>();
    private StringBuilder yaml = new StringBuilder();
    private int names;

    private SchemaSamples(Random random, boolean compact) {
        this.random = random;
        this.compact = compact;
    }

    /** Returns the text of a schema, the same for each seed. */
    static String yaml(String name, boolean compact, long seed) {
        SchemaSamples samples = new SchemaSamples(new Random(seed), compact);
        samples.fields("  ", 0);
        return "schema: " + name + "\nlayout: " + (compact ? "compact" : "fixed") + "\n"
                + (samples.types.isEmpty() ? "" : "types:\n" + samples.types) + "fields:\n" + samples.yaml;
    }

    private void fields(String indent, int depth) {
        int count = 2 + random.nextInt(depth == 0 ? 12 : 4);
        for (int i = 0; i < count; i++) {
            if (depth < 3 && random.nextInt(5) == 0) {
                group(indent, depth);
            } else {
                String type = type();
                yaml.append(indent).append("- { name: ").append(name()).append(", type: ");
                yaml.append(type)
                        .append(compact && random.nextInt(6) == 0 ? ", repeat: 9" : optional(type))
                        .append(" }\n");
            }
        }
    }

    private void group(String indent, int depth) {
        yaml.append(indent).append("- name: ").append(name()).append('\n');
        boolean known = !typeNames.isEmpty() && random.nextInt(3) == 0;
        String type = known
                ? typeNames.get(random.nextInt(typeNames.size()))
                : random.nextInt(3) == 0 ? type(depth) : "group";
        yaml.append(indent).append("  type: ").append(type).append('\n');
        if (random.nextBoolean()) {
            yaml.append(indent)
                    .append("  repeat: ")
                    .append(1 + random.nextInt(4))
                    .append('\n');
        } else if (compact && random.nextBoolean()) {
            yaml.append(indent).append("  optional: true\n");
        }
        if (type.equals("group")) {
            yaml.append(indent).append("  fields:\n");
            fields(indent + "    ", depth + 1);
        }
    }

    /** Adds a named type. */
    private String type(int depth) {
        StringBuilder outer = yaml;
        yaml = new StringBuilder();
        fields("      ", depth + 1);
        String name = (random.nextBoolean() ? "Type" : "legs") + names++;
        types.append("  ").append(name).append(":\n    fields:\n").append(yaml);
        yaml = outer;
        typeNames.add(name);
        return name;
    }

    private String name() {
        String[] forms = {"f", "legs", "isOpen", "aB_", "value_"};
        return forms[random.nextInt(forms.length)] + names++;
    }

    private String optional(String type) {
        // A single bit has no value left that could mean absent.
        if (random.nextInt(3) > 0 || type.equals("boolean, bits: 7")) {
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
