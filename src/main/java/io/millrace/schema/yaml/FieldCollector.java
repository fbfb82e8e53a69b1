package io.millrace.schema.yaml;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.DUPLICATE_NAME;
import static io.millrace.schema.ProblemCode.INVALID_NAME;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.OUT_OF_RANGE;
import static io.millrace.schema.ProblemCode.OVERLAPPING_FIELDS;
import static io.millrace.schema.ProblemCode.UNKNOWN_NAME;

import io.millrace.schema.CompactPart;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.ProblemCode;
import io.millrace.schema.Schema;
import io.millrace.schema.VirtualField;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;

/** Collects the fields of a schema while it is read, with their locations in the text. */
final class FieldCollector {

    private static final Set<String> VIRTUAL_FIELD = Set.of("name", "virtual");

    private final Problems problems;
    private final List<Field> fields = new ArrayList<>();
    private final List<VirtualField> virtualFields = new ArrayList<>();
    private final Map<String, Node> places = new HashMap<>();
    private final Map<String, String> formerNames = new HashMap<>();
    private final Map<String, FieldType> types = new HashMap<>();
    private final Map<Field, YamlMap> scaled = new LinkedHashMap<>();

    FieldCollector(Problems problems) {
        this.problems = problems;
    }

    /** Reserves a name. Returns false and adds a problem if it is already in use. */
    boolean claim(String path, Node where) {
        Node first = places.putIfAbsent(path, where);
        if (first != null) {
            problems.add(
                    where,
                    path,
                    DUPLICATE_NAME,
                    "Duplicate field, first in line " + Problems.line(first) + ". Rename one.");
        }
        return first == null;
    }

    /**
     * Reads the name that a field or group had in an earlier version of the schema.
     *
     * @param path its present path
     */
    void former(YamlMap map, String path) {
        String was = map.text("was");
        if (was == null) {
            return;
        }
        if (!SchemaSyntax.FIELD_NAME.matcher(was).matches()) {
            map.problem(
                    "was",
                    INVALID_NAME,
                    "Invalid former name '" + was + "'. Use letters, digits and _, not starting with a digit.");
        }
        int dot = path.lastIndexOf('.') + 1;
        String elements = path.endsWith(CompactPart.ELEMENTS) ? CompactPart.ELEMENTS : "";
        formerNames.put(path, path.substring(0, dot) + was + elements);
    }

    /** Adds a problem for each former name that is also a present one, or that two fields have. */
    void checkFormer() {
        Map<String, String> seen = new HashMap<>();
        formerNames.forEach((path, former) -> {
            String other = places.containsKey(bare(former)) ? bare(former) : seen.putIfAbsent(former, path);
            if (other != null) {
                problems.add(
                        Problems.line(Objects.requireNonNull(places.get(bare(path)))),
                        path,
                        CONFLICTING_PROPERTIES,
                        "Invalid former name '" + former + "' of field '" + path + "': field '" + other
                                + "' has that name. Remove 'was', or use another name.");
            }
        });
    }

    private static String bare(String path) {
        return path.endsWith(CompactPart.ELEMENTS)
                ? path.substring(0, path.length() - CompactPart.ELEMENTS.length())
                : path;
    }

    /** Returns the former paths of fields and groups, by their present paths. */
    Map<String, String> formerNames() {
        return Map.copyOf(formerNames);
    }

    void add(Field field, YamlMap map) {
        fields.add(field);
        value(field, map);
    }

    /** Notes the type of a field, to which others may refer. */
    void value(Field field, YamlMap map) {
        types.put(field.name(), field.type());
        if (field.digits() != null) {
            scaled.put(field, map);
        }
    }

    /** Adds a problem for each decimal whose number of decimals is in no field. */
    void checkDigits() {
        scaled.forEach((field, map) -> {
            String reason = switch (types.get(field.digits())) {
                case null -> "Unknown field '" + map.text(TypeReader.DIGITS) + "' next to '" + field.name() + "'.";
                case FieldType.IntegerType _, FieldType.StringType _, FieldType.EnumType _ -> null;
                case FieldType other -> "Invalid field '" + field.digits() + "' of type " + other.describe() + ".";
            };
            if (reason != null) {
                map.problem(
                        TypeReader.DIGITS,
                        UNKNOWN_NAME,
                        reason + " Use a whole number of decimals, or a text or enum with a currency, such as EUR.");
            }
        });
    }

    /** Reads a virtual field. */
    void virtual(YamlMap map, String path, boolean inGroup) {
        map.refuseUnknown(VIRTUAL_FIELD, "a virtual field");
        String expression = map.text("virtual");
        if (inGroup) {
            map.problem(
                    "virtual",
                    CONFLICTING_PROPERTIES,
                    "A group can't contain a virtual field. Move it out of the group.");
        } else if (expression == null || expression.isBlank()) {
            map.problem("virtual", MISSING_VALUE, "Missing value for 'virtual'. Use an expression.");
        } else {
            virtualFields.add(new VirtualField(path, expression));
        }
    }

    List<VirtualField> virtualFields() {
        return List.copyOf(virtualFields);
    }

    int size() {
        return fields.size();
    }

    /** Adds a problem for each field that shares bits with another or ends past the stated length. */
    void check(@Nullable Integer length) {
        List<Field> byOffset =
                fields.stream().sorted(Comparator.comparingInt(Field::offset)).toList();
        for (int i = 0; i < byOffset.size(); i++) {
            Field field = byOffset.get(i);
            if (length != null && field.end() > length) {
                problem(
                        field,
                        OUT_OF_RANGE,
                        "The field ends at byte " + field.end() + ", after 'length', " + length
                                + ". Correct 'at' or 'length'.");
            }
            for (int j = 0; j < i; j++) {
                if (overlap(byOffset.get(j), field)) {
                    reportOverlap(byOffset.get(j), field);
                    break;
                }
            }
        }
    }

    /** Reports the overlap at the field that is later in the text. */
    private void reportOverlap(Field one, Field other) {
        boolean ordered = fields.indexOf(one) < fields.indexOf(other);
        Field first = ordered ? one : other;
        Field second = ordered ? other : one;
        problem(
                second,
                OVERLAPPING_FIELDS,
                "The field overlaps field '" + first.name() + "', which takes bytes " + first.offset() + ".."
                        + (first.end() - 1) + ". Correct 'at', or use different 'bits'.");
    }

    private void problem(Field field, ProblemCode code, String reason) {
        Node where = places.get(field.name());
        problems.add(where == null ? 1 : Problems.line(where), field.name(), code, reason);
    }

    private static boolean overlap(Field one, Field other) {
        int start = Math.max(one.offset(), other.offset());
        int end = Math.min(one.end(), other.end());
        for (int at = start; at < end; at++) {
            if ((bitsOf(one, at) & bitsOf(other, at)) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the bits of one byte of the record that a field uses. */
    private static int bitsOf(Field field, int at) {
        if (!(field.type() instanceof FieldType.Numbered numbered) || at == field.nullFlagAt()) {
            return 0xFF;
        }
        IntStorage storage = numbered.storage();
        boolean little = storage.order() == ByteOrder.LITTLE_ENDIAN;
        int significance = little ? at - field.offset() : field.nullFlagAt() - 1 - at;
        long mask = (storage.bits() == 64 ? -1L : (1L << storage.bits()) - 1) << storage.shift();
        return (int) (mask >>> (8 * significance)) & 0xFF;
    }

    /**
     * Returns the schema of all fields. Valid if there are no problems.
     *
     * @param types names of the types of groups by their paths
     */
    Schema schema(String name, @Nullable Integer length, Map<String, String> types) {
        int end = fields.stream().mapToInt(Field::end).max().orElse(0);
        return new Schema(name, length == null ? end : length, fields, virtualFields)
                .named(formerNames, types, Map.of());
    }
}
