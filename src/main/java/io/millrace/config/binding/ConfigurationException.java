package io.millrace.config.binding;

import io.millrace.pipeline.definition.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** Thrown when the configuration is invalid, with all of its problems. */
public final class ConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient List<Problem> problems;

    public ConfigurationException(List<Problem> problems) {
        super(problems.stream()
                .map(problem -> problem.property() + ": " + problem.message())
                .collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }
}
