package io.millrace.feed.radius;

import java.util.Locale;

/** The reasons why a datagram is discarded without an answer. Each reason has its own counter. */
public enum Discard {
    /** The sender is not a configured client (RFC 2866, section 2). */
    UNKNOWN_CLIENT,
    /** The datagram has fewer octets than a header, or than its valid Length states (RFC 2865, section 3). */
    TRUNCATED,
    /** Length is below 20 or above 4096, regardless of the octets received (RFC 2866, section 3). */
    BAD_LENGTH,
    /** The packet is neither an Accounting-Request nor a Status-Server (RFC 2866, section 3). */
    UNEXPECTED_CODE,
    /** An attribute is shorter than its own header or extends past the packet's end (RFC 2865, section 5). */
    MALFORMED_ATTRIBUTE,
    /** The Request Authenticator does not match the shared secret (RFC 5080, section 2.3.3). */
    BAD_AUTHENTICATOR,
    /** The Message-Authenticator is wrong, has a wrong length, or occurs twice (RFC 3579, section 3.2). */
    BAD_MESSAGE_AUTHENTICATOR,
    /** The Message-Authenticator is missing but required (RFC 5997, section 3; or the client's configuration). */
    MISSING_MESSAGE_AUTHENTICATOR,
    /**
     * Acct-Status-Type, Acct-Session-Id, or both NAS-IP-Address and NAS-Identifier are missing (RFC 2866, sections 4.1
     * and 5.13).
     */
    MISSING_ATTRIBUTE,
    /** Acct-Status-Type or Acct-Session-Id occurs more than once (RFC 2866, section 5.13). */
    REPEATED_ATTRIBUTE,
    /**
     * The request has an attribute that is forbidden in an Accounting-Request, such as User-Password (RFC 2866, section
     * 4.1).
     */
    FORBIDDEN_ATTRIBUTE,
    /** The same request is pending (RFC 5080, section 2.2.2). */
    IN_PROGRESS,
    /** The queue of pending requests is full: the store is slower than the arrival rate, or unavailable. */
    OVERLOAD,
    /** The source, or its client, has used its share of the queue of pending requests. */
    CLIENT_OVERLOAD,
    /** A Status-Server query arrived while the oldest request has been pending for too long (RFC 5997, section 4.2). */
    NOT_READY,
    /** The socket did not accept another response; the client retransmits its request. */
    UNSENT;

    /** Returns the name used in JSON and metrics: lower case, with hyphens. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
