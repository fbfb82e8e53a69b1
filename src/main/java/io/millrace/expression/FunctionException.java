package io.millrace.expression;

/** A function that can't be registered. The message says which, why, and what to do. */
public final class FunctionException extends RuntimeException {

    private static final long serialVersionUID = 1;

    FunctionException(String function, String problem) {
        super("function " + function + ": " + problem);
    }
}
