package io.millrace.schema.yaml;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.INVALID_NAME;
import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.NO_EFFECT;
import static io.millrace.schema.ProblemCode.TOO_LARGE;

import io.millrace.schema.Constraint;
import io.millrace.schema.Container;
import io.millrace.schema.ElementForm;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.FixedLayout;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Reading;
import io.millrace.schema.Schema;
import io.millrace.schema.TaggedField;
import io.millrace.schema.TaggedLayout;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Reads the fields of a schema with the tagged layout. */
final class TaggedReader {

    static final LayoutSyntax SYNTAX = new LayoutSyntax(
            TaggedLayout.NAME,
            Set.of("header", "elements"),
            Set.of("header", "elements", "tag", "vendor", "occurrence", "at", "repeat", "required"),
            (root, name, problems, order) -> new TaggedReader(problems, order).read(root, name));

    private static final Set<String> EVERY_FIELD =
            Set.of("name", "type", "label", "tag", "occurrence", "at", "repeat", "required");
    private static final Set<String> GROUP =
            Set.of("name", "type", "tag", "vendor", "elements", "occurrence", "fields");
    private static final Set<String> ELEMENTS = Set.of("tag", "length", "counts");

    /** Attributes of types that apply only to the fixed layout, in which fields are stored as they are displayed. */
    private static final Set<String> FIXED_ONLY =
            Set.of("absent", "min", "max", "pattern", "format", "pad", TypeReader.DIGITS);

    private static final String PLMN = "plmn";
    private static final String QUARTER_HOURS = "quarter-hours";
    private static final String COUNT = "count";
    private static final IntStorage WORD = IntStorage.of(Long.BYTES, true, ByteOrder.BIG_ENDIAN);
    private static final IntStorage UNSIGNED_WORD = IntStorage.of(Long.BYTES, false, ByteOrder.BIG_ENDIAN);
    private static final IntStorage CODE = IntStorage.of(Integer.BYTES, false, ByteOrder.BIG_ENDIAN);
    private static final IntStorage TRUTH = IntStorage.of(1, false, ByteOrder.BIG_ENDIAN);

    private final Problems problems;
    private final FieldCollector collector;
    private final ByteOrder order;
    private final List<TaggedField> fields = new ArrayList<>();

    /**
     * The location of a group's fields.
     *
     * @param prefix prefix of their names
     * @param containers elements that contain them, outermost first
     * @param tag tag of the element whose value they are parts of, or null if each has its own element
     * @param occurrence index among the elements with this tag, from 0
     * @param depth number of groups that contain the fields
     */
    private record Scope(
            String prefix,
            List<Container> containers,
            @Nullable Long tag,
            int occurrence,
            int depth) {}

    private TaggedReader(Problems problems, ByteOrder order) {
        this.problems = problems;
        this.collector = new FieldCollector(problems);
        this.order = order;
    }

    private Schema read(YamlMap root, String name) {
        Integer header = root.whole("header", 0, FixedLayout.MAX_LENGTH);
        ElementForm form = form(root);
        if (form == null) {
            root.problem(
                    "elements",
                    MISSING_VALUE,
                    "Missing 'elements': the widths of tag and length, and what the length counts.");
            form = ElementForm.RADIUS;
        }
        if (root.list("fields").isEmpty()) {
            root.problem("fields", MISSING_VALUE, "Missing 'fields'. Add at least one field.");
        }
        fields(root, new Scope("", List.of(), null, 0, 0));
        problems.throwIfAny();
        return Schema.of(name, new TaggedLayout(header == null ? 0 : header, form, fields), collector.virtualFields());
    }

    private @Nullable ElementForm form(YamlMap parent) {
        Node node = parent.node("elements");
        if (node == null) {
            return null;
        }
        YamlMap map = new YamlMap(node, problems, null);
        map.refuseUnknown(ELEMENTS, ELEMENTS, "elements");
        Integer tag = map.whole("tag", 1, ElementForm.MAX_BYTES);
        Integer length = map.whole("length", 1, ElementForm.MAX_BYTES);
        boolean all = map.oneOf("counts", List.of("all", "value")).equals("all");
        return new ElementForm(tag == null ? 1 : tag, length == null ? 1 : length, all);
    }

    private void fields(YamlMap parent, Scope scope) {
        for (Node node : parent.list("fields")) {
            if (fields.size() >= SchemaSyntax.MAX_FIELDS) {
                problems.add(node, null, TOO_LARGE, "Too many fields. Use at most " + SchemaSyntax.MAX_FIELDS + ".");
                return;
            }
            field(new YamlMap(node, problems, null), scope);
        }
    }

    private void field(YamlMap unnamed, Scope scope) {
        String name = unnamed.text("name");
        YamlMap map = unnamed.of(name == null ? null : scope.prefix + name);
        boolean group = TypeReader.GROUP.equals(map.text("type"));
        if (name == null && !group) {
            map.problem("name", MISSING_VALUE, "Missing 'name' of a field.");
            return;
        }
        if (name != null && !SchemaSyntax.FIELD_NAME.matcher(name).matches()) {
            map.problem(
                    "name",
                    INVALID_NAME,
                    "Invalid name '" + name + "'. Use letters, digits and _, not starting with a digit.");
        }
        if (group) {
            group(map, name, scope);
        } else if (map.has("virtual")) {
            collector.claim(scope.prefix + name, map.keyNode("name"));
            collector.virtual(map, scope.prefix + name, scope.depth > 0);
        } else {
            single(map, scope.prefix + name, scope);
        }
    }

    private void group(YamlMap map, @Nullable String name, Scope scope) {
        map.refuseUnknown(GROUP, "type group in the tagged layout");
        String prefix = name == null ? scope.prefix : scope.prefix + name + ".";
        Long tag = tag(map);
        if (scope.depth >= SchemaSyntax.MAX_DEPTH) {
            map.problem(
                    "fields", TOO_LARGE, "Too many nested groups. Use at most " + SchemaSyntax.MAX_DEPTH + " levels.");
        } else if (scope.tag != null) {
            map.problem(
                    "type",
                    CONFLICTING_PROPERTIES,
                    "A group without 'elements' can't contain a group. Its fields are parts of one value: add 'elements' to it, or move the inner group.");
        } else if (tag == null) {
            map.problem("tag", MISSING_VALUE, "Missing 'tag': the tag of the group's element.");
        } else if (map.list("fields").isEmpty()) {
            map.problem("fields", MISSING_VALUE, "Missing 'fields'. Add at least one field to the group.");
        } else {
            ElementForm form = form(map);
            if (form == null) {
                if (map.has("vendor")) {
                    map.problem(
                            "vendor",
                            NO_EFFECT,
                            "'vendor' has no effect without 'elements'. Add 'elements', or remove it.");
                }
                fields(map, new Scope(prefix, scope.containers, tag, occurrence(map), scope.depth + 1));
            } else {
                List<Container> containers = new ArrayList<>(scope.containers);
                containers.add(new Container(tag, vendor(map), form));
                fields(map, new Scope(prefix, containers, null, 0, scope.depth + 1));
            }
        }
    }

    private static @Nullable Long tag(YamlMap map) {
        return unsigned(map, "tag");
    }

    private static @Nullable Long vendor(YamlMap map) {
        return unsigned(map, "vendor");
    }

    private static @Nullable Long unsigned(YamlMap map, String key) {
        BigInteger number = map.whole(key);
        if (number != null && (number.signum() < 0 || number.bitLength() > Integer.SIZE)) {
            map.problem(
                    key, INVALID_NUMBER, "Invalid " + key + " '" + number + "'. Use a number from 0 to 4294967295.");
            return null;
        }
        return number == null ? null : number.longValue();
    }

    private static int occurrence(YamlMap map) {
        Integer occurrence = map.whole("occurrence", 0, SchemaSyntax.MAX_FIELDS);
        return occurrence == null ? 0 : occurrence;
    }

    private void single(YamlMap map, String path, Scope scope) {
        Meaning meaning = meaning(map);
        Long ownTag = tag(map);
        TaggedField.Part part = part(map);
        if (meaning == null) {
            return;
        }
        if (scope.tag == null && ownTag == null && !scope.containers.isEmpty()) {
            map.problem("tag", MISSING_VALUE, "Missing 'tag': the tag of the field's element.");
        } else if (scope.tag != null && ownTag != null) {
            map.problem(
                    "tag",
                    CONFLICTING_PROPERTIES,
                    "'tag' is set for the field and its group. Remove it, or add 'elements' to the group.");
        } else if (ownTag == null && part.equals(TaggedField.Part.WHOLE)) {
            map.problem(
                    "at",
                    MISSING_VALUE,
                    "Missing 'at': the offset of the field in the " + (scope.tag == null ? "header" : "value") + ".");
        }
        boolean required = map.flag("required");
        boolean neverAbsent = required || meaning.reading instanceof Reading.Count;
        String label = map.text("label");
        long tag = ownTag != null ? ownTag : scope.tag != null ? scope.tag : TaggedField.HEADER;
        Integer repeat = map.whole("repeat", 1, SchemaSyntax.MAX_FIELDS);
        int first = ownTag == null ? scope.occurrence : occurrence(map);
        for (int i = 0; i < (repeat == null ? 1 : repeat); i++) {
            String name = repeat == null ? path : path + "[" + i + "]";
            if (collector.claim(name, map.keyNode("name"))) {
                boolean nullFlag = !neverAbsent && meaning.usesAllValues();
                Field field = new Field(
                        name,
                        meaning.type,
                        0,
                        !neverAbsent,
                        neverAbsent || nullFlag ? 0 : Field.defaultNullRaw(meaning.type),
                        nullFlag,
                        Constraint.NONE,
                        label == null ? name : label,
                        null,
                        null);
                fields.add(new TaggedField(field, scope.containers, tag, first + i, part, meaning.reading));
            }
        }
    }

    /** Returns the whole value, a part from a fixed offset, or a part whose offset depends on the kind of value. */
    private TaggedField.Part part(YamlMap map) {
        if (!(map.node("at") instanceof MappingNode byKind)) {
            Integer at = map.whole("at", 0, FixedLayout.MAX_LENGTH);
            return at == null ? TaggedField.Part.WHOLE : new TaggedField.Part(at, Map.of());
        }
        Map<Integer, Integer> offsets = new HashMap<>();
        for (NodeTuple entry : byKind.getValue()) {
            BigInteger kind = number(entry.getKeyNode());
            BigInteger offset = number(entry.getValueNode());
            if (kind == null || kind.signum() < 0 || kind.bitLength() > Byte.SIZE) {
                map.problemAt(
                        entry.getKeyNode(), INVALID_NUMBER, "Invalid kind. Use the first byte of the value, 0 to 255.");
            } else if (offset == null || offset.signum() < 0 || offset.bitLength() > Short.SIZE) {
                map.problemAt(
                        entry.getValueNode(),
                        INVALID_NUMBER,
                        "Invalid offset. Use a number from 0 to 65535, the offset in the value.");
            } else {
                offsets.put(kind.intValue(), offset.intValue());
            }
        }
        return new TaggedField.Part(-1, offsets);
    }

    private static @Nullable BigInteger number(Node node) {
        return node instanceof ScalarNode scalar ? YamlMap.wholeNumber(scalar.getValue()) : null;
    }

    /** The type of a value in a row, and its conversion from bytes. */
    private record Meaning(FieldType type, Reading reading) {

        /**
         * Returns whether an element can contain every value of the type, so that none is left to represent absent, and
         * the row needs a null flag. Most numbers are wider in the row than in the element.
         */
        boolean usesAllValues() {
            return switch (reading) {
                case Reading.WholeNumber(var storage) ->
                    storage.holds(Field.defaultNullRaw(type))
                            && !(type instanceof FieldType.EnumType)
                            && !(type instanceof FieldType.BooleanType);
                case Reading.Real _, Reading.Varying _, Reading.Exact _ -> true;
                case Reading.Plmn _, Reading.QuarterHours _, Reading.Count _ -> false;
            };
        }
    }

    private @Nullable Meaning meaning(YamlMap map) {
        Set<String> known = new TreeSet<>(TypeReader.names());
        known.addAll(List.of(PLMN, QUARTER_HOURS, COUNT));
        String name = SchemaSyntax.type(map, known);
        if (name == null) {
            return null;
        }
        Set<String> allowed = new TreeSet<>(TypeReader.attributes(name));
        allowed.removeAll(FIXED_ONLY);
        allowed.addAll(EVERY_FIELD);
        map.refuseUnknown(allowed, "type " + name + " in the tagged layout");
        return switch (name) {
            case PLMN ->
                new Meaning(
                        new FieldType.StringType(Reading.Plmn.DIGITS, StandardCharsets.US_ASCII, (byte) 0),
                        new Reading.Plmn());
            case QUARTER_HOURS -> new Meaning(new FieldType.IntegerType(WORD), new Reading.QuarterHours());
            case COUNT -> new Meaning(new FieldType.IntegerType(WORD), new Reading.Count());
            default -> {
                FieldType type = new TypeReader(map, order).read(name);
                yield type == null ? null : inRow(type);
            }
        };
    }

    /**
     * Returns the type in rows. Its whole numbers are wide enough to represent absent by a value that the element
     * cannot contain, except for integers of 64 bits.
     */
    private static Meaning inRow(FieldType type) {
        return switch (type) {
            case FieldType.IntegerType(var storage) ->
                new Meaning(new FieldType.IntegerType(word(storage)), new Reading.WholeNumber(storage));
            case FieldType.DecimalType(var storage, int scale) ->
                new Meaning(new FieldType.DecimalType(word(storage), scale), new Reading.WholeNumber(storage));
            case FieldType.DateType(var storage) ->
                new Meaning(new FieldType.DateType(WORD), new Reading.WholeNumber(storage));
            case FieldType.InstantType(var storage, var unit) ->
                new Meaning(new FieldType.InstantType(WORD, unit), new Reading.WholeNumber(storage));
            case FieldType.EnumType(var storage, var dictionary) ->
                new Meaning(new FieldType.EnumType(CODE, dictionary), new Reading.WholeNumber(storage));
            case FieldType.BooleanType(var storage) ->
                new Meaning(new FieldType.BooleanType(TRUTH), new Reading.WholeNumber(storage));
            case FieldType.FloatType(int bytes, var order) ->
                new Meaning(new FieldType.FloatType(bytes, ByteOrder.BIG_ENDIAN), new Reading.Real(bytes, order));
            case FieldType.StringType(int bytes, var charset, byte ignoredPad) ->
                new Meaning(new FieldType.StringType(bytes, charset, (byte) 0), new Reading.Varying());
            case FieldType.BytesType bytes -> new Meaning(bytes, new Reading.Varying());
            case FieldType.IpType address -> new Meaning(address, new Reading.Exact(address.bytes()));
        };
    }

    private static IntStorage word(IntStorage storage) {
        return storage.unsignedLong() ? UNSIGNED_WORD : WORD;
    }
}
