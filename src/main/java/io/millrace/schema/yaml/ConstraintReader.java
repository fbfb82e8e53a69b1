package io.millrace.schema.yaml;

import static io.millrace.schema.ProblemCode.DUPLICATE_NAME;
import static io.millrace.schema.ProblemCode.INVALID_CONDITION;
import static io.millrace.schema.ProblemCode.INVALID_NAME;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.TOO_LARGE;
import static io.millrace.schema.ProblemCode.UNKNOWN_FIELD;

import io.millrace.schema.CompactPart;
import io.millrace.schema.NearestName;
import io.millrace.schema.RecordConstraint;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.nodes.Node;

/** Reads the constraints of a schema, whose conditions are checked when the fields are known. */
final class ConstraintReader {

    static final String CONSTRAINTS = "constraints";

    private static final int MAX_CONSTRAINTS = 256;
    private static final Set<String> ATTRIBUTES = Set.of("name", "each", "condition", "message");

    private final Problems problems;
    private final List<Written> written = new ArrayList<>();

    /** @param map the place of the constraint in the file */
    private record Written(RecordConstraint constraint, YamlMap map) {}

    ConstraintReader(YamlMap root, Problems problems) {
        this.problems = problems;
        Set<String> names = new HashSet<>();
        for (Node node : root.list(CONSTRAINTS)) {
            if (written.size() == MAX_CONSTRAINTS) {
                problems.add(node, null, TOO_LARGE, "Too many constraints. Use at most " + MAX_CONSTRAINTS + ".");
                break;
            }
            read(new YamlMap(node, problems, null), names);
        }
    }

    private void read(YamlMap map, Set<String> names) {
        map.refuseUnknown(ATTRIBUTES, "a constraint");
        String name = map.text("name");
        if (name == null) {
            map.problem("name", MISSING_VALUE, "Missing 'name' of a constraint.");
            return;
        }
        if (!SchemaSyntax.SCHEMA_NAME.matcher(name).matches()) {
            map.problem("name", INVALID_NAME, "Invalid name '" + name + "'. Use letters, digits, - and _ only.");
        }
        if (!names.add(name)) {
            duplicate(map, name);
        }
        String condition = map.text("condition");
        if (condition == null) {
            map.problem("condition", MISSING_VALUE, "Missing 'condition' of constraint '" + name + "'.");
            return;
        }
        String each = map.text("each");
        String message = map.text("message");
        written.add(new Written(
                new RecordConstraint(
                        name,
                        each == null ? "" : each,
                        condition,
                        message == null ? "the condition must hold: " + condition : message),
                map));
    }

    private static void duplicate(YamlMap map, String name) {
        map.problem("name", DUPLICATE_NAME, "Duplicate constraint '" + name + "'. Use another name.");
    }

    /**
     * Returns the schema with the constraints.
     *
     * @throws SchemaException if a condition does not fit the fields, or if there were problems before
     */
    Schema constrain(Schema fields) {
        List<RecordConstraint> all = new ArrayList<>();
        new TreeMap<>(fields.choices()).forEach((path, choice) -> {
            RecordConstraint constraint = choice.constraint(path);
            if (constraint != null) {
                all.add(constraint);
            }
        });
        Set<String> ofChoices = all.stream().map(RecordConstraint::name).collect(Collectors.toSet());
        for (Written each : written) {
            if (ofChoices.contains(each.constraint.name())) {
                duplicate(each.map, each.constraint.name());
            }
            check(each.constraint, each.map, fields);
            all.add(each.constraint);
        }
        problems.throwIfAny();
        return all.isEmpty() ? fields : fields.constrained(all);
    }

    private static void check(RecordConstraint constraint, YamlMap map, Schema fields) {
        String list = constraint.each();
        List<String> lists = fields.groups().stream()
                .map(group -> group.path().replace(CompactPart.ELEMENTS, ""))
                .toList();
        if (!list.isEmpty() && !lists.contains(list)) {
            map.problem(
                    "each",
                    UNKNOWN_FIELD,
                    "Unknown list '" + list + "'"
                            + (lists.isEmpty()
                                    ? ". Remove 'each': only the compact layout has lists."
                                    : NearestName.hint(list, lists) + " Use one of: " + String.join(", ", lists)
                                            + "."));
            return;
        }
        String problem = ConditionChecker.installed().problem(fields, constraint);
        if (problem != null) {
            map.problem(
                    "condition",
                    INVALID_CONDITION,
                    "Invalid condition of constraint '" + constraint.name() + "'. " + problem);
        }
    }
}
