package io.millrace.web.request;

import java.util.Locale;

/**
 * The kinds of errors that this service adds to those of the framework, with their HTTP status. The codes are stable:
 * scripts may rely on them. {@code docs/reference/messages.md} describes them.
 */
public enum ApiErrorCode {
    BAD_QUERY(400),
    BAD_KEY(400),
    BAD_RATE(400),
    BAD_REQUEST(400),
    BAD_VERSION(400),
    SIGN_IN(401),
    TOKEN(401),
    ROLE(403),
    HOST(403),
    ORIGIN(403),
    REPLAY_OFF(403),
    UNKNOWN_PIPELINE(404),
    UNKNOWN_REGION(404),
    UNKNOWN_TABLE(404),
    UNKNOWN_MEASURE(404),
    UNKNOWN_POINT(404),
    UNKNOWN_KEY(404),
    UNKNOWN_VERSION(404),
    NO_SHADOW(404),
    NO_MAP(404),
    NO_OUTLINE(404),
    NOT_ACCEPTABLE(406),
    NO_FILE(409),
    NO_TAP(409),
    NOT_SETTABLE(409),
    NOT_STARTED(409),
    RESTART_FAILED(409),
    RULES_NOT_LIVE(409),
    SHADOW_NOT_POSSIBLE(409),
    STANDBY(409),
    RULES_CHANGED(412),
    BAD_TABLE(422),
    INCOMPLETE(422),
    RULES_INVALID(422),
    RULES_TESTS_FAILED(422),
    BUSY(503),
    ISSUER(503),
    TOO_MANY_STREAMS(503),
    TOO_MANY_TAPS(503),
    STOPPED(503),
    STORE(503),
    TIMEOUT(504);

    private final int status;

    ApiErrorCode(int status) {
        this.status = status;
    }

    /** Returns the HTTP status of responses with this code. */
    public int status() {
        return status;
    }

    /** Returns the code, such as {@code bad-query}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
