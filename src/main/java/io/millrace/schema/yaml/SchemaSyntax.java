package io.millrace.schema.yaml;

import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.UNKNOWN_TYPE;

import io.millrace.schema.NearestName;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the readers of all layouts have in common: limits, names, and the types of fields. Stateless. */
final class SchemaSyntax {

    /** Maximum number of stored fields, including each repetition of a repeated group. */
    static final int MAX_FIELDS = 4096;

    /** Maximum depth of nested groups, which also ends anchors that contain themselves. */
    static final int MAX_DEPTH = 8;

    static final Pattern SCHEMA_NAME = Pattern.compile("[A-Za-z0-9_-]+");

    static final Pattern FIELD_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private SchemaSyntax() {}

    /**
     * Returns the type of a field, or null after reporting a problem.
     *
     * @param known names of the layout's types
     */
    static @Nullable String type(YamlMap map, Set<String> known) {
        String type = map.text("type");
        if (type == null) {
            if (!map.has("type")) {
                map.problem("type", MISSING_VALUE, "Missing 'type'.");
            }
            return null;
        }
        if (!known.contains(type)) {
            map.problem("type", UNKNOWN_TYPE, unknownType(type, known));
            return null;
        }
        return type;
    }

    private static String unknownType(String type, Set<String> known) {
        return "Unknown type '" + type + "'" + NearestName.hint(type, known) + " Use one of: "
                + String.join(", ", new TreeSet<>(known)) + ".";
    }
}
