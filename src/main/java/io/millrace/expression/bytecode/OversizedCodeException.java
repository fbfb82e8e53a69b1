package io.millrace.expression.bytecode;

/** Says that the code of a loop would be so large that the JIT compiler leaves it interpreted. */
public final class OversizedCodeException extends RuntimeException {

    private static final long serialVersionUID = 1;

    OversizedCodeException(String message) {
        super(message);
    }
}
