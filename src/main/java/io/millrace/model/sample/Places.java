package io.millrace.model.sample;

import io.millrace.model.ModelException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where the current sample is, and what is wrong with the samples so far. Not thread-safe. */
final class Places {

    private static final int MAX_PROBLEMS = 20;

    private final Map<String, String> problems = new LinkedHashMap<>();
    private String file = "";
    private long line = 1;

    /** Sets the file of the next samples. */
    void file(String name) {
        file = name;
        line = 1;
    }

    /** Sets the line of the next samples, from 1. */
    void line(long number) {
        line = number;
    }

    /** Returns the current place, such as {@code trades.jsonl:3}. */
    @Override
    public String toString() {
        return file + ":" + line;
    }

    /**
     * Adds a problem at the current place.
     *
     * @param subject what is wrong; only the first problem of a subject is reported
     */
    void problem(String subject, String text) {
        if (problems.size() < MAX_PROBLEMS) {
            problems.putIfAbsent(subject, this + ": " + text);
        }
    }

    /** Returns whether so much is wrong that reading can stop. */
    boolean isFull() {
        return problems.size() >= MAX_PROBLEMS;
    }

    /** @throws ModelException if there are problems */
    void throwIfAny() {
        if (!problems.isEmpty()) {
            throw new ModelException(List.copyOf(problems.values()));
        }
    }
}
