package io.millrace.codec.compact;

/** Thrown when bytes are not a valid compact record. Has no stack trace, because feeds can deliver many of them. */
final class MalformedRecordException extends RuntimeException {

    private static final long serialVersionUID = 1;

    MalformedRecordException(String message) {
        super(message, null, false, false);
    }
}
