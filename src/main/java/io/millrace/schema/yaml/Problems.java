package io.millrace.schema.yaml;

import io.millrace.schema.ProblemCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;

/** Collects the problems of one file, so that all are reported at once. */
final class Problems {

    /** Maximum number of reported problems. */
    private static final int MAX_REPORTED = 100;

    private final String file;
    private final Set<String> fieldAttributes;
    private final List<SchemaProblem> found = new ArrayList<>();

    /** @param fieldAttributes attributes that a field of any layout can have */
    Problems(String file, Set<String> fieldAttributes) {
        this.file = file;
        this.fieldAttributes = fieldAttributes;
    }

    /** Returns the attributes that a field of any layout can have. */
    Set<String> fieldAttributes() {
        return fieldAttributes;
    }

    void add(Node where, @Nullable String field, ProblemCode code, String reason) {
        add(line(where), field, code, reason);
    }

    void add(int line, @Nullable String field, ProblemCode code, String reason) {
        SchemaProblem problem = new SchemaProblem(file, line, field, code, reason);
        // The fields of a repeated group are read once per repetition, and an anchor at each use.
        if (found.size() < MAX_REPORTED && !found.contains(problem)) {
            found.add(problem);
        }
    }

    static int line(Node node) {
        return node.getStartMark().getLine() + 1;
    }

    void throwIfAny() {
        if (!found.isEmpty()) {
            throw exception();
        }
    }

    SchemaException exception() {
        found.sort(Comparator.comparingInt(SchemaProblem::line));
        return new SchemaException(found);
    }
}
