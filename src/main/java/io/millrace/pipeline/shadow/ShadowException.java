package io.millrace.pipeline.shadow;

/** A shadow is not possible. The message says why, and what to do. */
public final class ShadowException extends RuntimeException {

    private static final long serialVersionUID = 1;

    ShadowException(String message) {
        super(message);
    }
}
