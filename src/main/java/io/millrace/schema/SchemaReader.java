package io.millrace.schema;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.reader.ReaderException;

/**
 * Reads a schema from YAML; {@code docs/reference/schemas.md} says how one is written. All mistakes are reported at
 * once.
 */
@API(status = API.Status.STABLE)
public final class SchemaReader {

    /** Maximum length of a record in bytes. */
    public static final int MAX_LENGTH = 1 << 20;

    /** Maximum number of stored fields, including each repetition of a repeated group. */
    public static final int MAX_FIELDS = 4096;

    /** Maximum depth of nested groups, which also ends anchors that contain themselves. */
    static final int MAX_DEPTH = 8;

    static final Pattern SCHEMA_NAME = Pattern.compile("[A-Za-z0-9_-]+");

    static final Pattern FIELD_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern FILE_ENDING = Pattern.compile("\\.ya?ml$");
    private static final Set<String> ROOT = Set.of("schema", "layout", "byte-order", "length", "fields");
    private static final Set<String> TAGGED_ROOT =
            Set.of("schema", "layout", "byte-order", "header", "elements", "fields");
    private static final Set<String> EVERY_FIELD = Set.of("name", "type", "at", "label", "optional");
    private static final Set<String> GROUP_FIELD = Set.of("name", "type", "at");
    static final Set<String> ANY = allAttributes();

    private final Problems problems;
    private final Layout layout;
    private ByteOrder order = ByteOrder.BIG_ENDIAN;

    private SchemaReader(String file) {
        problems = new Problems(file);
        layout = new Layout(problems);
    }

    private static Set<String> allAttributes() {
        Set<String> all = new TreeSet<>(EVERY_FIELD);
        TypeReader.names().forEach(type -> all.addAll(TypeReader.attributes(type)));
        all.add("virtual");
        all.addAll(TaggedReader.ATTRIBUTES);
        return all;
    }

    /**
     * Reads a file.
     *
     * @throws SchemaException if it has problems
     * @throws IOException if it cannot be read
     */
    public static Schema read(Path file) throws IOException {
        return read(file.toString(), Files.readAllBytes(file));
    }

    /**
     * Reads the content of a file.
     *
     * @param file name of the file for messages; without folder and ending it must equal the schema's name
     * @throws SchemaException if it has problems
     */
    public static Schema read(String file, byte[] yaml) {
        SchemaReader reader = new SchemaReader(file);
        Node root = reader.compose(yaml);
        return reader.schema(root, nameOf(file));
    }

    private static String nameOf(String file) {
        String last = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
        return FILE_ENDING.matcher(last).replaceFirst("");
    }

    private @Nullable Node compose(byte[] yaml) {
        String text = "";
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(yaml))
                    .toString();
            return new Yaml(new SafeConstructor(new LoaderOptions())).compose(new StringReader(text));
        } catch (CharacterCodingException _) {
            problems.add(1, null, "is not UTF-8");
        } catch (MarkedYAMLException e) {
            Mark place = YamlErrors.place(e);
            problems.add(place == null ? 1 : place.getLine() + 1, null, YamlErrors.describe(e));
        } catch (ReaderException e) {
            String before = text.substring(0, Math.clamp(e.getPosition(), 0, text.length()));
            int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
            problems.add(
                    line,
                    null,
                    "Invalid YAML: character " + Integer.toHexString(e.getCodePoint()) + " may not stand there");
        } catch (YAMLException e) {
            problems.add(1, null, YamlErrors.describe(e));
        }
        problems.throwIfAny();
        return null;
    }

    private Schema schema(@Nullable Node root, String expectedName) {
        String name = expectedName;
        Integer length = null;
        if (root == null) {
            problems.add(1, null, "is empty. Write at least 'schema' and 'fields'.");
        } else {
            YamlMap map = new YamlMap(root, problems, null);
            boolean tagged = map.oneOf("layout", List.of("fixed", "tagged")).equals("tagged");
            map.refuseUnknown(
                    tagged ? TAGGED_ROOT : ROOT,
                    tagged ? ROOT : TAGGED_ROOT,
                    tagged ? "layout tagged" : "layout fixed");
            name = name(map, expectedName);
            order = TypeReader.order(map, "byte-order");
            if (tagged) {
                return new TaggedReader(problems, layout, order).read(map, name);
            }
            length = map.whole("length", 1, MAX_LENGTH);
            if (map.list("fields").isEmpty()) {
                map.problem("fields", "fields is missing or empty, a record needs at least one");
            }
            fields(map, "", 0, 0);
            layout.check(length);
        }
        problems.throwIfAny();
        return layout.schema(name, length);
    }

    private static String name(YamlMap map, String expected) {
        String name = map.text("schema");
        if (name == null) {
            map.problem("schema", "schema is missing, the name of the record type");
            return expected;
        }
        if (!SCHEMA_NAME.matcher(name).matches()) {
            map.problem("schema", "schema=" + name + " may hold letters, digits, - and _ only");
        } else if (!name.equals(expected)) {
            map.problem("schema", "schema=" + name + " is not the name of its file, " + expected);
        }
        return name;
    }

    /**
     * Reads the fields of a schema or group.
     *
     * @param prefix prefix of their names
     * @param start offset to which theirs are relative
     * @return offset past the last byte of the fields
     */
    private int fields(YamlMap parent, String prefix, int start, int depth) {
        int next = start;
        int end = start;
        for (Node node : parent.list("fields")) {
            next = field(node, prefix, start, next, depth);
            end = Math.max(end, next);
        }
        return end;
    }

    /** Reads one field. Returns the offset past it. */
    private int field(Node node, String prefix, int start, int next, int depth) {
        if (layout.size() >= MAX_FIELDS) {
            problems.add(node, null, "there are more than " + MAX_FIELDS + " fields");
            return next;
        }
        String shown = new YamlMap(node, new Problems(""), null).has("name") ? nameIn(node, prefix) : null;
        YamlMap map = new YamlMap(node, problems, shown);
        if (map.keys().isEmpty()) {
            return next;
        }
        String name = map.text("name");
        if (name == null) {
            map.problem("name", "name is missing");
        } else if (!FIELD_NAME.matcher(name).matches()) {
            map.problem("name", "name=" + name + " is not valid: use letters, digits and _, not starting with a digit");
        }
        String path = prefix + name;
        boolean claimed = name != null && layout.claim(path, map.keyNode("name"));
        if (map.has("virtual")) {
            layout.virtual(map, path, depth > 0);
            return next;
        }
        Integer stated = map.whole("at", 0, MAX_LENGTH);
        int offset = stated == null ? next : start + stated;
        String type = type(map);
        if (type == null) {
            return offset;
        }
        if (offset > MAX_LENGTH) {
            map.problem("at", "starts past the longest record, " + MAX_LENGTH + " bytes");
            return next;
        }
        return type.equals(TypeReader.GROUP)
                ? group(map, path, offset, depth)
                : stored(map, type, path, prefix, offset, claimed);
    }

    private static @Nullable String nameIn(Node node, String prefix) {
        String name = new YamlMap(node, new Problems(""), null).text("name");
        return name == null ? null : prefix + name;
    }

    /**
     * Returns the name of a known type, or null after reporting a problem. Reports attributes that are invalid for the
     * type.
     */
    private @Nullable String type(YamlMap map) {
        String type = map.text("type");
        if (type == null) {
            if (!map.has("type")) {
                map.problem("type", "type is missing");
            }
            return null;
        }
        if (!TypeReader.names().contains(type)) {
            map.problem("type", unknownType(type, TypeReader.names()));
            return null;
        }
        Set<String> allowed = new TreeSet<>(type.equals(TypeReader.GROUP) ? GROUP_FIELD : EVERY_FIELD);
        allowed.addAll(TypeReader.attributes(type));
        map.refuseUnknown(allowed, ANY, "type " + type);
        return type;
    }

    static String unknownType(String type, Set<String> known) {
        return "unknown type '" + type + "'" + NearestName.hint(type, known) + " Use one of: "
                + String.join(", ", new TreeSet<>(known)) + ".";
    }

    private int stored(YamlMap map, String typeName, String path, String prefix, int offset, boolean fresh) {
        FieldType type = new TypeReader(map, order).read(typeName);
        if (type == null) {
            return offset;
        }
        String label = map.text("label");
        Field field = new FieldReader(map, type).read(path, offset, label == null ? path : prefix + label);
        if (fresh) {
            layout.add(field);
        }
        return field.end();
    }

    private int group(YamlMap map, String path, int offset, int depth) {
        if (depth >= MAX_DEPTH) {
            map.problem("fields", "groups lie deeper than " + MAX_DEPTH + " in each other");
            return offset;
        }
        if (map.list("fields").isEmpty()) {
            map.problem("fields", "fields is missing or empty, a group needs at least one");
        }
        Integer length = map.whole("length", 1, MAX_LENGTH);
        Integer repeat = map.whole("repeat", 1, MAX_FIELDS);
        int at = offset;
        for (int i = 0; i < (repeat == null ? 1 : repeat); i++) {
            if (layout.size() >= MAX_FIELDS || at > MAX_LENGTH) {
                map.problem("repeat", "makes more than " + MAX_FIELDS + " fields or " + MAX_LENGTH + " bytes");
                break;
            }
            int end = fields(map, path + (repeat == null ? "." : "[" + i + "]."), at, depth + 1);
            if (length != null && end > at + length) {
                map.problem("length", "length=" + length + " is less than its fields take, " + (end - at));
            }
            at = length == null ? end : at + length;
        }
        return at;
    }
}
