package io.millrace.feed.tcp;

import java.util.Locale;

/** The reasons why a connection is closed. */
public enum CloseReason {
    /** The sender closed it. */
    ENDED,
    /** The connection failed: it was reset or lost. */
    BROKEN,
    /** The sender completed no record within the idle timeout. */
    IDLE,
    /** The maximum number of connections was reached. */
    TOO_MANY,
    /** The maximum number of connections of the sender's address was reached. */
    TOO_MANY_FROM_ADDRESS,
    /** A record exceeded the maximum length. */
    TOO_LONG,
    /** The incomplete records of the sender's address exceeded their share of memory. */
    TOO_MUCH_INCOMPLETE,
    /** The length prefix of a record is invalid. */
    WRONG_LENGTH,
    /** The bytes received are not valid TLS. */
    TLS,
    /** The feed was closed. */
    STOPPED;

    /** Returns the name used in metrics and logs: lower case with hyphens. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns whether the sender violated a configured limit or protocol. */
    boolean brokenRule() {
        return switch (this) {
            case IDLE, TOO_MANY, TOO_MANY_FROM_ADDRESS, TOO_LONG, TOO_MUCH_INCOMPLETE, WRONG_LENGTH, TLS -> true;
            case ENDED, BROKEN, STOPPED -> false;
        };
    }
}
