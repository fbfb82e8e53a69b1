package io.millrace.schema.yaml;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.DUPLICATE_NAME;
import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.OUT_OF_RANGE;
import static io.millrace.schema.ProblemCode.TOO_LARGE;
import static io.millrace.schema.ProblemCode.WRONG_STRUCTURE;

import io.millrace.schema.Dictionary;
import io.millrace.schema.FieldType;
import io.millrace.schema.FixedLayout;
import io.millrace.schema.IntStorage;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads the type of a field from its attributes. */
final class TypeReader {

    /** Name of the type that contains other fields. */
    static final String GROUP = "group";

    private static final List<String> INTEGERS = integers();
    private static final Set<String> WORD = Set.of("order", "bits");

    /** Attribute of a decimal: the field with its number of decimals, or its currency. */
    static final String DIGITS = "digits";

    /** Attributes of each type, in addition to those of all types. */
    private static final Map<String, Set<String>> ATTRIBUTES = attributes();

    private static final Pattern BITS = Pattern.compile("(\\d{1,2})(?:\\.\\.(\\d{1,2}))?");
    private static final Map<String, TimeUnit> UNITS = Map.of(
            "s",
            TimeUnit.SECONDS,
            "ms",
            TimeUnit.MILLISECONDS,
            "us",
            TimeUnit.MICROSECONDS,
            "ns",
            TimeUnit.NANOSECONDS);

    private final YamlMap map;
    private final ByteOrder order;
    private final Set<String> seen = new HashSet<>();

    /** @param defaultOrder byte order of a field without one */
    TypeReader(YamlMap map, ByteOrder defaultOrder) {
        this.map = map;
        this.order = map.has("order") ? order(map, "order") : defaultOrder;
    }

    private static List<String> integers() {
        List<String> names = new ArrayList<>();
        for (int bits = 8; bits <= 64; bits += 8) {
            names.add("i" + bits);
            names.add("u" + bits);
        }
        return List.copyOf(names);
    }

    private static Map<String, Set<String>> attributes() {
        Set<String> number = Set.of("absent", "min", "max");
        Set<String> coded = Set.of("absent", "as");
        Map<String, Set<String>> all = new HashMap<>();
        INTEGERS.forEach(name -> all.put(name, union(List.of(WORD, number))));
        all.put("f32", union(List.of(number, Set.of("order"))));
        all.put("f64", union(List.of(number, Set.of("order"))));
        all.put("decimal", union(List.of(WORD, coded, number, Set.of("scale", DIGITS))));
        all.put("date", union(List.of(WORD, coded, Set.of("format"))));
        all.put("instant", union(List.of(WORD, coded, Set.of("format", "unit"))));
        all.put("enum", union(List.of(WORD, coded, Set.of("values", "pattern", "unknown"))));
        all.put("boolean", union(List.of(WORD, coded)));
        all.put("string", Set.of("absent", "length", "charset", "pad", "pattern", "required", "min", "max"));
        all.put("bytes", Set.of("absent", "length"));
        all.put("ipv4", Set.of("absent"));
        all.put("ipv6", Set.of("absent"));
        all.put(GROUP, Set.of("fields", "repeat", "length"));
        return Map.copyOf(all);
    }

    private static Set<String> union(List<Set<String>> sets) {
        return Set.copyOf(sets.stream().flatMap(Set::stream).distinct().toList());
    }

    static Set<String> names() {
        return ATTRIBUTES.keySet();
    }

    static Set<String> attributes(String type) {
        return ATTRIBUTES.getOrDefault(type, Set.of());
    }

    static ByteOrder order(YamlMap map, String key) {
        return map.oneOf(key, List.of("big", "little")).equals("big") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    /** Returns the type of a name with its attributes, or null after reporting a problem. */
    @Nullable
    FieldType read(String name) {
        return switch (name) {
            case "f32" -> new FieldType.FloatType(4, order);
            case "f64" -> new FieldType.FloatType(8, order);
            case "ipv4" -> new FieldType.IpType(4);
            case "ipv6" -> new FieldType.IpType(16);
            case "bytes" -> bytes();
            case "string" -> string();
            default -> numbered(name);
        };
    }

    private @Nullable FieldType bytes() {
        Integer length = length();
        return length == null ? null : new FieldType.BytesType(length);
    }

    private @Nullable FieldType string() {
        Integer length = length();
        String charset = map.oneOf("charset", List.of("ascii", "latin1", "utf8"));
        byte pad = (byte) (map.oneOf("pad", List.of("space", "zero")).equals("space") ? ' ' : 0);
        if (length == null) {
            return null;
        }
        return switch (charset) {
            case "latin1" -> new FieldType.StringType(length, StandardCharsets.ISO_8859_1, pad);
            case "utf8" -> new FieldType.StringType(length, StandardCharsets.UTF_8, pad);
            default -> new FieldType.StringType(length, StandardCharsets.US_ASCII, pad);
        };
    }

    private @Nullable Integer length() {
        if (!map.has("length")) {
            map.problem("type", MISSING_VALUE, "Missing 'length': the width in bytes.");
        }
        return map.whole("length", 1, FixedLayout.MAX_LENGTH);
    }

    private @Nullable FieldType numbered(String name) {
        String storedAs = switch (name) {
            case "decimal", "instant" -> map.oneOf("as", startingWith("i64"));
            case "date" -> map.oneOf("as", startingWith("u16"));
            case "enum", "boolean" -> map.oneOf("as", startingWith("u8"));
            default -> name;
        };
        IntStorage word = IntStorage.of(Integer.parseInt(storedAs.substring(1)) / 8, storedAs.charAt(0) == 'i', order);
        IntStorage storage = map.has("bits") ? slice(word) : word;
        return switch (name) {
            case "decimal" -> decimal(storage);
            case "date" -> storage == null ? null : new FieldType.DateType(storage);
            case "instant" -> instant(storage);
            case "enum" -> dictionary(storage);
            case "boolean" -> truth(storage);
            default -> storage == null ? null : new FieldType.IntegerType(storage);
        };
    }

    private static List<String> startingWith(String first) {
        return Stream.concat(Stream.of(first), INTEGERS.stream()).distinct().toList();
    }

    private @Nullable IntStorage slice(IntStorage word) {
        String text = map.text("bits");
        if (text == null) {
            return null;
        }
        Matcher bits = BITS.matcher(text);
        if (bits.matches()) {
            int low = Integer.parseInt(bits.group(1));
            int high = bits.group(2) == null ? low : Integer.parseInt(bits.group(2));
            if (low <= high && high < 8 * word.bytes()) {
                return word.slice(low, high - low + 1);
            }
        }
        int last = 8 * word.bytes() - 1;
        map.problem(
                "bits",
                INVALID_VALUE,
                "Invalid bits '" + text + "'. Use a range such as 3..5, or one bit, from 0 to " + last + ".");
        return null;
    }

    private @Nullable FieldType decimal(@Nullable IntStorage storage) {
        if (!map.has("scale")) {
            map.problem("type", MISSING_VALUE, "Missing 'scale': the number of decimals.");
        }
        Integer scale = map.whole("scale", 0, FieldType.DecimalType.MAX_SCALE);
        return storage == null || scale == null ? null : new FieldType.DecimalType(storage, scale);
    }

    private @Nullable FieldType instant(@Nullable IntStorage storage) {
        if (!map.has("unit")) {
            map.problem("type", MISSING_VALUE, "Missing 'unit'. Use one of: s, ms, us, ns.");
        }
        TimeUnit unit = UNITS.get(map.oneOf("unit", List.of("s", "ms", "us", "ns")));
        return storage == null || unit == null ? null : new FieldType.InstantType(storage, unit);
    }

    private @Nullable FieldType truth(@Nullable IntStorage storage) {
        if (storage != null && !storage.holds(1)) {
            map.problem(
                    "bits",
                    OUT_OF_RANGE,
                    "A signed bit can't store 1, only 0 and -1. Use an unsigned type, such as 'as: u8'.");
            return null;
        }
        return storage == null ? null : new FieldType.BooleanType(storage);
    }

    private @Nullable FieldType dictionary(@Nullable IntStorage storage) {
        SortedMap<Integer, String> names = new TreeMap<>();
        boolean valid = map.node("values") instanceof MappingNode mapping ? coded(mapping, names) : listed(names);
        if (valid && names.isEmpty()) {
            map.problem("values", MISSING_VALUE, "Missing 'values'. Add at least one value to the dictionary.");
            return null;
        }
        if (storage == null || !valid) {
            return null;
        }
        int last = names.lastKey();
        if (!storage.holds(last)) {
            map.problem(
                    "values",
                    OUT_OF_RANGE,
                    "Invalid code '" + last + "'. Use codes that fit " + storage + ", or a wider type.");
            return null;
        }
        Dictionary dictionary = new Dictionary(names);
        if (!map.oneOf("unknown", List.of("reject", "keep")).equals("keep")) {
            return new FieldType.EnumType(storage, dictionary);
        }
        names.values().stream().filter(Dictionary::isTextOfCode).forEach(this::refuseTextOfCode);
        return new FieldType.EnumType(storage, dictionary.keeping(Dictionary.maxCode(storage)));
    }

    private void refuseTextOfCode(String name) {
        map.problem(
                "values",
                CONFLICTING_PROPERTIES,
                "Invalid value '" + name + "' with 'unknown: keep', which shows a code without a name like this. Use"
                        + " another name.");
    }

    private boolean listed(SortedMap<Integer, String> names) {
        boolean valid = !map.has("values") || map.node("values") instanceof SequenceNode;
        int code = 0;
        for (Node value : map.list("values")) {
            valid &= add(names, code++, value);
        }
        return valid;
    }

    private boolean coded(MappingNode mapping, SortedMap<Integer, String> names) {
        boolean valid = true;
        for (NodeTuple entry : mapping.getValue()) {
            String text = entry.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
            BigInteger code = YamlMap.wholeNumber(text);
            if (code == null || code.signum() < 0 || code.bitLength() > 16) {
                map.problemAt(
                        entry.getKeyNode(),
                        INVALID_NUMBER,
                        "Invalid code '" + text + "'. Use a number from 0 to " + Dictionary.MAX_CODE + ".");
                valid = false;
            } else {
                valid &= add(names, code.intValue(), entry.getValueNode());
            }
        }
        return valid;
    }

    private boolean add(SortedMap<Integer, String> names, int code, Node value) {
        if (!(value instanceof ScalarNode scalar)) {
            map.problemAt(value, WRONG_STRUCTURE, "Invalid value of the dictionary. Write a single text.");
            return false;
        }
        if (code > Dictionary.MAX_CODE) {
            map.problemAt(value, TOO_LARGE, "Too many values. Use codes from 0 to " + Dictionary.MAX_CODE + ".");
            return false;
        }
        if (!seen.add(scalar.getValue())) {
            map.problemAt(value, DUPLICATE_NAME, "Duplicate value '" + scalar.getValue() + "'. Remove or rename it.");
            return false;
        }
        if (names.putIfAbsent(code, scalar.getValue()) != null) {
            map.problemAt(value, DUPLICATE_NAME, "Duplicate code '" + code + "'. Use another code.");
            return false;
        }
        return true;
    }
}
