package io.millrace.feed.radius.packet;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Creates the package's digests. RADIUS over UDP defines no digest but MD5 (RFC 2865, section 3). */
final class Md5 {

    private Md5() {}

    /** Returns a digest that one thread may reuse. */
    static MessageDigest create() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has MD5", e);
        }
    }

    static byte[] of(byte[] octets) {
        return create().digest(octets);
    }
}
