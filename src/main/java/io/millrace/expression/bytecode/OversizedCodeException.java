package io.millrace.expression.bytecode;

/** Thrown if the code of a loop is so large that the JIT compiler would leave it interpreted. */
public final class OversizedCodeException extends RuntimeException {

    private static final long serialVersionUID = 1;

    OversizedCodeException(String message) {
        super(message);
    }
}
