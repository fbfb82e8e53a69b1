package io.millrace.schema;

import java.util.List;
import java.util.stream.Collectors;

/** A schema's text that cannot be used; it names everything that is wrong, one problem a line. */
public final class SchemaException extends RuntimeException {

    private final transient List<SchemaProblem> problems;

    SchemaException(List<SchemaProblem> problems) {
        super(problems.stream().map(SchemaProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** All problems, in the order of their lines. */
    public List<SchemaProblem> problems() {
        return problems;
    }
}
