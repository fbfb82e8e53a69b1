package io.millrace.codec.json;

/** Thrown for a text that is not JSON. Has no stack trace, because feeds can deliver many of them. */
final class MalformedJsonException extends RuntimeException {

    private static final long serialVersionUID = 1;

    MalformedJsonException(int offset, String message) {
        super("Invalid JSON at byte " + offset + ": " + message, null, false, false);
    }
}
