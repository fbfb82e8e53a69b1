package io.millrace.schema.yaml;

import java.util.List;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** Thrown when a schema cannot be read. The message contains all problems, one per line. */
@API(status = API.Status.STABLE)
public final class SchemaException extends RuntimeException {

    private final transient List<SchemaProblem> problems;

    SchemaException(List<SchemaProblem> problems) {
        super(problems.stream().map(SchemaProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** Returns all problems, in the order of their lines. */
    public List<SchemaProblem> problems() {
        return problems;
    }
}
