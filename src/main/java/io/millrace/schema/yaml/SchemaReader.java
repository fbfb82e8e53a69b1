package io.millrace.schema.yaml;

import static io.millrace.schema.ProblemCode.INVALID_NAME;
import static io.millrace.schema.ProblemCode.INVALID_YAML;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;

import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
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

    private static final Pattern FILE_ENDING = Pattern.compile("\\.ya?ml$");
    private static final Set<String> ROOT =
            Set.of("schema", "layout", "byte-order", "fields", ConstraintReader.CONSTRAINTS);

    /** The first one is the default. */
    private static final List<LayoutSyntax> LAYOUTS =
            List.of(FixedReader.SYNTAX, TaggedReader.SYNTAX, CompactReader.SYNTAX);

    private static final Set<String> FIELD_ATTRIBUTES = allAttributes();

    private final Problems problems;

    private SchemaReader(String file) {
        problems = new Problems(file, FIELD_ATTRIBUTES);
    }

    private static Set<String> allAttributes() {
        Set<String> all = new TreeSet<>();
        LAYOUTS.forEach(layout -> all.addAll(layout.fieldAttributes()));
        TypeReader.names().forEach(type -> all.addAll(TypeReader.attributes(type)));
        all.add("virtual");
        all.addAll(List.of(NamedTypes.EXTENDS, NamedTypes.CHOICE));
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
        return reader.schema(reader.compose(yaml), nameOf(file));
    }

    private static String nameOf(String file) {
        String last = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
        return FILE_ENDING.matcher(last).replaceFirst("");
    }

    private Node compose(byte[] yaml) {
        String text = "";
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(yaml))
                    .toString();
            Node root = new Yaml(new SafeConstructor(new LoaderOptions())).compose(new StringReader(text));
            if (root != null) {
                return root;
            }
            problems.add(1, null, MISSING_VALUE, "The file is empty. Write at least 'schema' and 'fields'.");
        } catch (CharacterCodingException _) {
            problems.add(1, null, INVALID_YAML, "The file is not UTF-8 text. Convert it to UTF-8.");
        } catch (MarkedYAMLException e) {
            Mark place = YamlErrors.place(e);
            problems.add(place == null ? 1 : place.getLine() + 1, null, INVALID_YAML, YamlErrors.describe(e));
        } catch (ReaderException e) {
            String before = text.substring(0, Math.clamp(e.getPosition(), 0, text.length()));
            int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
            problems.add(
                    line,
                    null,
                    INVALID_YAML,
                    "Invalid YAML character '" + Integer.toHexString(e.getCodePoint()) + "' (hexadecimal). Remove it.");
        } catch (YAMLException e) {
            problems.add(1, null, INVALID_YAML, YamlErrors.describe(e));
        }
        throw problems.exception();
    }

    private Schema schema(Node root, String expectedName) {
        YamlMap map = new YamlMap(root, problems, null);
        List<String> names = LAYOUTS.stream().map(LayoutSyntax::name).toList();
        LayoutSyntax layout = LAYOUTS.get(names.indexOf(map.oneOf("layout", names)));
        Set<String> anyRoot = new TreeSet<>(ROOT);
        LAYOUTS.forEach(each -> anyRoot.addAll(each.attributes()));
        Set<String> allowed = new TreeSet<>(ROOT);
        allowed.addAll(layout.attributes());
        map.refuseUnknown(allowed, anyRoot, "layout " + layout.name());
        String name = name(map, expectedName);
        ConstraintReader constraints = new ConstraintReader(map, problems);
        return constraints.constrain(layout.reader().read(map, name, problems, TypeReader.order(map, "byte-order")));
    }

    private static String name(YamlMap map, String expected) {
        String name = map.text("schema");
        if (name == null) {
            map.problem("schema", MISSING_VALUE, "Missing 'schema': the name of the record type.");
            return expected;
        }
        if (!SchemaSyntax.SCHEMA_NAME.matcher(name).matches()) {
            map.problem(
                    "schema", INVALID_NAME, "Invalid schema name '" + name + "'. Use letters, digits, - and _ only.");
        } else if (!name.equals(expected)) {
            map.problem(
                    "schema",
                    INVALID_NAME,
                    "Invalid schema name '" + name + "'. Use the name of the file, " + expected + ".");
        }
        return name;
    }
}
