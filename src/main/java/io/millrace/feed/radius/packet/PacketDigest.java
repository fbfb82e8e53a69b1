package io.millrace.feed.radius.packet;

import static io.millrace.feed.radius.packet.RadiusPacket.ACCOUNTING_REQUEST;
import static io.millrace.feed.radius.packet.RadiusPacket.AUTHENTICATOR;
import static io.millrace.feed.radius.packet.RadiusPacket.AUTHENTICATOR_AT;
import static io.millrace.feed.radius.packet.RadiusPacket.HEADER;

import java.security.DigestException;
import java.security.MessageDigest;

/**
 * Computes the authenticators of packets. Not thread-safe; only the constructor allocates.
 *
 * <pre>
 * Request Authenticator  = MD5(Code Identifier Length 16 zero octets        Attributes Secret)  RFC 2866, section 3
 * Response Authenticator = MD5(Code Identifier Length Request Authenticator Attributes Secret)  RFC 2866, section 3
 * Message-Authenticator  = HMAC-MD5(Secret, packet)                                             RFC 3579, section 3.2
 * </pre>
 *
 * The digest of a Message-Authenticator includes its own value as 16 zero octets, and also the Request Authenticator of
 * an Accounting-Request, which is computed after it. The Request Authenticator of a Status-Server is random, and the
 * digest includes it unchanged.
 */
public final class PacketDigest {

    private static final byte[] ZEROS = new byte[AUTHENTICATOR];

    private final MessageDigest md5 = Md5.create();
    private final byte[] result = new byte[AUTHENTICATOR];

    /**
     * Returns the Request Authenticator that an Accounting-Request must have.
     *
     * @return 16 octets, valid until the next call
     */
    public byte[] requestAuthenticator(byte[] packet, int at, int length, Secret secret) {
        md5.update(packet, at, AUTHENTICATOR_AT);
        md5.update(ZEROS, 0, AUTHENTICATOR);
        md5.update(packet, at + HEADER, length - HEADER);
        md5.update(secret.octets(), 0, secret.octets().length);
        return digest();
    }

    /**
     * Returns the Response Authenticator of a response that still contains the authenticator of its request.
     *
     * @return 16 octets, valid until the next call
     */
    public byte[] responseAuthenticator(byte[] packet, int at, int length, Secret secret) {
        md5.update(packet, at, length);
        md5.update(secret.octets(), 0, secret.octets().length);
        return digest();
    }

    /**
     * Returns the Message-Authenticator that a packet must have.
     *
     * @param valueAt offset of the packet's own value, whose octets are ignored
     * @return 16 octets, valid until the next call
     */
    public byte[] messageAuthenticator(byte[] packet, int at, int length, int valueAt, Secret secret) {
        md5.update(secret.innerPad(), 0, secret.innerPad().length);
        if (RadiusPacket.code(packet, at) == ACCOUNTING_REQUEST) {
            md5.update(packet, at, AUTHENTICATOR_AT);
            md5.update(ZEROS, 0, AUTHENTICATOR);
            md5.update(packet, at + HEADER, valueAt - at - HEADER);
        } else {
            md5.update(packet, at, valueAt - at);
        }
        md5.update(ZEROS, 0, AUTHENTICATOR);
        md5.update(packet, valueAt + AUTHENTICATOR, at + length - valueAt - AUTHENTICATOR);
        digest();
        md5.update(secret.outerPad(), 0, secret.outerPad().length);
        md5.update(result, 0, AUTHENTICATOR);
        return digest();
    }

    private byte[] digest() {
        try {
            md5.digest(result, 0, AUTHENTICATOR);
            return result;
        } catch (DigestException e) {
            throw new AssertionError("the result has fewer than 16 octets", e);
        }
    }
}
