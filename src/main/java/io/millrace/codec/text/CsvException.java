package io.millrace.codec.text;

import java.util.List;

/** Thrown when a CSV file cannot be read. The message contains all problems, one per line. */
public final class CsvException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient List<String> problems;

    /** @param problems all problems, in the order of the file */
    public CsvException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    /** Returns all problems, in the order of the file. */
    public List<String> problems() {
        return problems;
    }
}
