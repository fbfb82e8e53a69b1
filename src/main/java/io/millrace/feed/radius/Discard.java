package io.millrace.feed.radius;

import java.util.Locale;

/** Why a datagram was discarded without an answer; each reason has a counter of its own. */
public enum Discard {
    /** Its sender is none of the clients (RFC 2866, section 2). */
    UNKNOWN_CLIENT,
    /** It has fewer octets than a header, or than its Length says, which is one that can be (RFC 2865, section 3). */
    TRUNCATED,
    /** Its Length is below 20 or above 4096, however many octets came (RFC 2866, section 3). */
    BAD_LENGTH,
    /** It is neither an Accounting-Request nor a Status-Server (RFC 2866, section 3). */
    UNEXPECTED_CODE,
    /** An attribute is shorter than its own header, or reaches past the packet's end (RFC 2865, section 5). */
    MALFORMED_ATTRIBUTE,
    /** The Request Authenticator is not the one that the shared secret gives (RFC 5080, section 2.3.3). */
    BAD_AUTHENTICATOR,
    /** The Message-Authenticator is wrong, of a wrong length, or there twice (RFC 3579, section 3.2). */
    BAD_MESSAGE_AUTHENTICATOR,
    /** It has no Message-Authenticator but must (RFC 5997, section 3; or the client's configuration). */
    MISSING_MESSAGE_AUTHENTICATOR,
    /**
     * It lacks Acct-Status-Type, Acct-Session-Id, or both NAS-IP-Address and NAS-Identifier (RFC 2866, sections 4.1 and
     * 5.13).
     */
    MISSING_ATTRIBUTE,
    /** Acct-Status-Type or Acct-Session-Id is there more than once (RFC 2866, section 5.13). */
    REPEATED_ATTRIBUTE,
    /** It has an attribute that no Accounting-Request may have, such as User-Password (RFC 2866, section 4.1). */
    FORBIDDEN_ATTRIBUTE,
    /** The same request is waiting to be stored (RFC 5080, section 2.2.2). */
    IN_PROGRESS,
    /** As many requests wait as may: the store is slower than requests come, or down. */
    OVERLOAD,
    /** As many requests of its source, or of its client, wait as may. */
    CLIENT_OVERLOAD,
    /** It asks whether all is well, and requests have been waiting for too long to say so (RFC 5997, section 4.2). */
    NOT_READY,
    /** The socket did not take more answers at that moment; the client will ask again. */
    UNSENT;

    /** As in JSON and metrics: lower case, with hyphens. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
