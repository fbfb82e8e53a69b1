package io.millrace.pipeline.rules;

import java.util.List;

/** Thrown if rules can't be used. The pipeline continues with its current ones. */
public final class RulesException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final Reason reason;
    private final transient List<Mistake> mistakes;

    /** Why rules can't be used. */
    public enum Reason {
        /** They have mistakes. */
        INVALID,
        /** They need a start with another configuration. */
        NOT_LIVE,
        /** Tests of the configuration fail. */
        TESTS_FAILED
    }

    /**
     * Something that must change.
     *
     * @param property path of the property, or the name of a test
     * @param place line and column in the text; empty if unknown
     * @param message what is wrong and what to do; may have several lines
     */
    public record Mistake(String property, String place, String message) {

        @Override
        public String toString() {
            return property + (place.isEmpty() ? "" : " (" + place + ")") + ": " + message;
        }
    }

    public RulesException(Reason reason, List<Mistake> mistakes) {
        super(String.join("\n", mistakes.stream().map(Mistake::toString).toList()));
        this.reason = reason;
        this.mistakes = List.copyOf(mistakes);
    }

    public Reason reason() {
        return reason;
    }

    /** Returns everything that must change. */
    public List<Mistake> mistakes() {
        return mistakes;
    }
}
