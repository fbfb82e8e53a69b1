package io.millrace.feed.tcp;

import java.util.Locale;

/** Why a connection was closed. */
public enum CloseReason {
    /** The sender closed it. */
    ENDED,
    /** It broke: reset, or lost on the way. */
    BROKEN,
    /** No complete record came for the idle timeout. */
    IDLE,
    /** There were too many already. */
    TOO_MANY,
    /** Its address had as many already as one address may have. */
    TOO_MANY_FROM_ADDRESS,
    /** A record was longer than allowed. */
    TOO_LONG,
    /** Its sender's incomplete records took as much memory as one address may have. */
    TOO_MUCH_INCOMPLETE,
    /** A number before a record can't be its length. */
    WRONG_LENGTH,
    /** It is not, or not rightly, TLS. */
    TLS,
    /** The feed was closed. */
    STOPPED;

    /** As in metrics and logs: lower case with dashes. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether the sender broke a rule that the configuration sets. */
    boolean brokenRule() {
        return switch (this) {
            case IDLE, TOO_MANY, TOO_MANY_FROM_ADDRESS, TOO_LONG, TOO_MUCH_INCOMPLETE, WRONG_LENGTH, TLS -> true;
            case ENDED, BROKEN, STOPPED -> false;
        };
    }
}
