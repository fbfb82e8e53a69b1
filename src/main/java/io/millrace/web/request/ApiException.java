package io.millrace.web.request;

import java.util.Map;

/** Thrown when a request can't be answered. It is returned as a problem detail (RFC 9457). */
public final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int status;
    private final String code;
    private final transient Map<String, Object> details;

    /**
     * @param status HTTP status
     * @param code stable identifier of the kind of problem
     * @param message for users
     */
    public ApiException(int status, String code, String message) {
        this(status, code, message, Map.of());
    }

    /** @param details additional members of the problem detail */
    public ApiException(int status, String code, String message, Map<String, Object> details) {
        super(message);
        this.status = status;
        this.code = code;
        this.details = Map.copyOf(details);
    }

    public int status() {
        return status;
    }

    public String code() {
        return code;
    }

    public Map<String, Object> details() {
        return details;
    }
}
