package io.millrace.corpus;

import java.util.List;

/** Thrown by a place that refuses an expression, with the error. */
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1;

    private Refusal(String message) {
        super(message);
    }

    static void throwFirst(List<String> errors) {
        if (!errors.isEmpty()) {
            throw new Refusal(errors.getFirst());
        }
    }
}
