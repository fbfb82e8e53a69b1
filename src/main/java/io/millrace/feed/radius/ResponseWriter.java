package io.millrace.feed.radius;

import static io.millrace.feed.radius.RadiusPacket.ACCOUNTING_RESPONSE;
import static io.millrace.feed.radius.RadiusPacket.AUTHENTICATOR;
import static io.millrace.feed.radius.RadiusPacket.AUTHENTICATOR_AT;
import static io.millrace.feed.radius.RadiusPacket.HEADER;
import static io.millrace.feed.radius.RadiusPacket.LONGEST;
import static io.millrace.feed.radius.RadiusPacket.PROXY_STATE;

/**
 * Makes the response to a request: its Proxy-State attributes, in their order and as they are (RFC 2866, section 4.2),
 * and nothing else. The same request always gives the same response. One thread's own; allocates nothing once made.
 */
final class ResponseWriter {

    private final PacketDigest digest;
    private final byte[] response = new byte[LONGEST];

    ResponseWriter(PacketDigest digest) {
        this.digest = digest;
    }

    /** The octets of the last response; the next overwrites them. */
    byte[] bytes() {
        return response;
    }

    /**
     * Makes the response to an Accounting-Request that was checked.
     *
     * @return its length
     */
    int answerAccounting(byte[] packet, int at, int length, Secret secret) {
        return finish(packet, at, secret, copyProxyStates(packet, at + HEADER, at + length));
    }

    /**
     * Makes the response to a Status-Server that was checked; it has no attributes (RFC 5997, section 3).
     *
     * @return its length
     */
    int answerStatus(byte[] packet, int at, Secret secret) {
        return finish(packet, at, secret, HEADER);
    }

    private int copyProxyStates(byte[] packet, int from, int end) {
        int length = HEADER;
        for (int at = from; at < end; at += packet[at + 1] & 0xFF) {
            if ((packet[at] & 0xFF) == PROXY_STATE) {
                int attribute = packet[at + 1] & 0xFF;
                System.arraycopy(packet, at, response, length, attribute);
                length += attribute;
            }
        }
        return length;
    }

    private int finish(byte[] packet, int at, Secret secret, int length) {
        RadiusPacket.putHeader(response, 0, ACCOUNTING_RESPONSE, packet[at + 1], length);
        System.arraycopy(packet, at + AUTHENTICATOR_AT, response, AUTHENTICATOR_AT, AUTHENTICATOR);
        byte[] authenticator = digest.responseAuthenticator(response, 0, length, secret);
        System.arraycopy(authenticator, 0, response, AUTHENTICATOR_AT, AUTHENTICATOR);
        return length;
    }
}
