package io.millrace.web.request;

/** Thrown when a request is refused because the maximum number of others is running and waiting. */
public final class BusyException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int retryAfterSeconds;

    public BusyException(int retryAfterSeconds) {
        this(
                "Too many queries at a time. Repeat the request later, or raise millrace.query.max-concurrent.",
                retryAfterSeconds);
    }

    public BusyException(String message, int retryAfterSeconds) {
        super(message);
        this.retryAfterSeconds = retryAfterSeconds;
    }

    public int retryAfterSeconds() {
        return retryAfterSeconds;
    }
}
