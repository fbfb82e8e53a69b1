package io.millrace.feed.radius;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Where this package gets its digests: RADIUS over UDP knows none but MD5 (RFC 2865, section 3). */
final class Md5 {

    private Md5() {}

    /** A digest to be used again and again by one thread. */
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
