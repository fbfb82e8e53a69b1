package io.millrace.model;

import java.util.List;

/** Thrown when the input of an import is wrong. The message contains all problems, one per line. */
public final class ModelException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final transient List<String> problems;

    /** @param problems at least one, each with its place */
    public ModelException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    /** Returns all problems, each with its place. */
    public List<String> problems() {
        return problems;
    }
}
