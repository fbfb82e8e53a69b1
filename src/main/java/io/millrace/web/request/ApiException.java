package io.millrace.web.request;

import java.util.Map;

/** Thrown when a request can't be answered. It is returned as a problem detail (RFC 9457). */
public final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final ApiErrorCode code;
    private final transient Map<String, Object> details;

    /** @param message for users */
    public ApiException(ApiErrorCode code, String message) {
        this(code, message, Map.of());
    }

    /** @param details additional members of the problem detail */
    public ApiException(ApiErrorCode code, String message, Map<String, Object> details) {
        super(message);
        this.code = code;
        this.details = Map.copyOf(details);
    }

    public ApiErrorCode code() {
        return code;
    }

    public Map<String, Object> details() {
        return details;
    }
}
