package io.millrace.corpus;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A field as each layout declares it.
 *
 * @param type type in the compact layout
 * @param stored what the other layouts need in addition
 * @param flag whether an optional field of the fixed layout has a null flag; if not, one of its values is absent
 */
public record CorpusField(String name, String type, String stored, boolean optional, boolean flag) {

    private static final List<List<String>> TYPES = List.of(
            List.of("u8", ""),
            List.of("i16", ""),
            List.of("u32", ""),
            List.of("i32", ""),
            List.of("i64", ""),
            List.of("u64", ""),
            List.of("decimal, scale: 2", ", as: i64"),
            List.of("decimal, scale: 5", ", as: i64"),
            List.of("date", ", as: i32"),
            List.of("instant, unit: ms", ", as: i64"),
            List.of("enum, values: [b, a, c]", ", as: u8"),
            List.of("boolean", ", as: u8"),
            List.of("f32", ""),
            List.of("f64", ""),
            List.of("string, length: 3, charset: utf8", ""),
            List.of("string, length: 12, charset: utf8", ""),
            List.of("bytes, length: 3", ""),
            List.of("ipv4", ""),
            List.of("ipv6", ""));

    /** Returns random fields, most of them optional. */
    public static List<CorpusField> random(Random random) {
        return IntStream.range(0, 3 + random.nextInt(5))
                .mapToObj(i -> of(i, random.nextInt(TYPES.size()), random))
                .toList();
    }

    /** Returns a field of each type. */
    static List<CorpusField> all(Random random) {
        return IntStream.range(0, TYPES.size()).mapToObj(i -> of(i, i, random)).toList();
    }

    private static CorpusField of(int number, int type, Random random) {
        List<String> texts = TYPES.get(type);
        return new CorpusField(
                "f" + number, texts.getFirst(), texts.getLast(), random.nextInt(6) > 0, random.nextBoolean());
    }

    String inFixed() {
        return entry(type + stored + (optional ? ", optional: true" : "") + (optional && flag ? ", absent: flag" : ""));
    }

    String inCompact() {
        return entry(type + (optional ? ", optional: true" : ""));
    }

    String inTagged(int tag) {
        return entry(type + stored + ", tag: " + tag + (optional ? "" : ", required: true"));
    }

    private String entry(String description) {
        return "  - { name: " + name + ", type: " + description + " }\n";
    }
}
