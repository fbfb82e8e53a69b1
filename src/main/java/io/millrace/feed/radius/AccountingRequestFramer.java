package io.millrace.feed.pcap;

import io.millrace.codec.RawBytes;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Admits RADIUS accounting requests (RFC 2866): code 4, a length of 20 to 4096 that the datagram holds, and attributes
 * that fill it (RFC 2865, section 5). What lies behind the length is padding. With a secret, the Request Authenticator
 * must be the one that the secret makes (RFC 2866, section 3).
 *
 * <pre>
 * 0 code(1)  1 identifier(1)  2 length(2)  4 authenticator(16)  20 attributes: type(1) length(1) value
 * </pre>
 */
public final class AccountingRequestFramer implements DatagramFramer {

    private static final int ACCOUNTING_REQUEST = 4;
    private static final int HEADER_BYTES = 20;
    private static final int AUTHENTICATOR_AT = 4;
    private static final int AUTHENTICATOR_BYTES = 16;
    private static final int ATTRIBUTE_HEADER_BYTES = 2;
    private static final int LONGEST = 4096;

    private final byte @Nullable [] secret;
    private final MessageDigest md5;
    private final byte[] digest = new byte[AUTHENTICATOR_BYTES];
    private final byte[] noAuthenticator = new byte[AUTHENTICATOR_BYTES];

    /** @param secret that the requests were made with, or null to take them unchecked; not copied */
    public AccountingRequestFramer(byte @Nullable [] secret) {
        this.secret = secret;
        try {
            md5 = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has MD5", e);
        }
    }

    @Override
    public int longest() {
        return LONGEST;
    }

    @Override
    public int frame(byte[] bytes, int offset, int captured, int length) {
        if (captured == 0) {
            return length == 0 ? OTHER : CUT;
        }
        if (bytes[offset] != ACCOUNTING_REQUEST) {
            return OTHER;
        }
        if (captured < AUTHENTICATOR_AT) {
            return length < HEADER_BYTES ? MALFORMED : CUT;
        }
        int stated = Short.toUnsignedInt(RawBytes.getShort(bytes, offset + 2));
        if (stated < HEADER_BYTES || stated > LONGEST || stated > length) {
            return MALFORMED;
        }
        if (stated > captured) {
            return CUT;
        }
        if (!isFilled(bytes, offset + HEADER_BYTES, offset + stated)) {
            return MALFORMED;
        }
        return secret == null || isGenuine(bytes, offset, stated, secret) ? stated : FORGED;
    }

    private static boolean isFilled(byte[] bytes, int from, int end) {
        int at = from;
        while (end - at >= ATTRIBUTE_HEADER_BYTES) {
            int length = bytes[at + 1] & 0xff;
            if (length < ATTRIBUTE_HEADER_BYTES) {
                return false;
            }
            at += length;
        }
        return at == end;
    }

    private boolean isGenuine(byte[] bytes, int offset, int length, byte[] key) {
        md5.update(bytes, offset, AUTHENTICATOR_AT);
        md5.update(noAuthenticator);
        md5.update(bytes, offset + HEADER_BYTES, length - HEADER_BYTES);
        md5.update(key);
        try {
            md5.digest(digest, 0, AUTHENTICATOR_BYTES);
        } catch (DigestException e) {
            throw new AssertionError("an MD5 digest has 16 bytes", e);
        }
        int at = offset + AUTHENTICATOR_AT;
        return Arrays.equals(digest, 0, AUTHENTICATOR_BYTES, bytes, at, at + AUTHENTICATOR_BYTES);
    }

    @Override
    public String recordName() {
        return "RADIUS accounting request";
    }
}
