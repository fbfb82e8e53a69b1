package io.millrace.feed.radius;

import static io.millrace.feed.radius.packet.RadiusPacket.ACCOUNTING_RESPONSE;
import static io.millrace.feed.radius.packet.RadiusPacket.AUTHENTICATOR;
import static io.millrace.feed.radius.packet.RadiusPacket.AUTHENTICATOR_AT;
import static io.millrace.feed.radius.packet.RadiusPacket.HEADER;
import static io.millrace.feed.radius.packet.RadiusPacket.LONGEST;
import static io.millrace.feed.radius.packet.RadiusPacket.PROXY_STATE;

import io.millrace.feed.radius.packet.PacketDigest;
import io.millrace.feed.radius.packet.RadiusPacket;
import io.millrace.feed.radius.packet.Secret;

/**
 * Creates the response to a request. It contains the request's Proxy-State attributes, unchanged and in order (RFC
 * 2866, section 4.2), and nothing else. The response to a request is deterministic. Not thread-safe; only the
 * constructor allocates.
 */
final class ResponseWriter {

    private final PacketDigest digest;
    private final byte[] response = new byte[LONGEST];

    ResponseWriter(PacketDigest digest) {
        this.digest = digest;
    }

    /** Returns the array with the last response, which the next response overwrites. */
    byte[] bytes() {
        return response;
    }

    /**
     * Creates the response to a checked Accounting-Request.
     *
     * @return length of the response in octets
     */
    int answerAccounting(byte[] packet, int at, int length, Secret secret) {
        return finish(packet, at, secret, copyProxyStates(packet, at + HEADER, at + length));
    }

    /**
     * Creates the response to a checked Status-Server; it has no attributes (RFC 5997, section 3).
     *
     * @return length of the response in octets
     */
    int answerStatus(byte[] packet, int at, Secret secret) {
        return finish(packet, at, secret, HEADER);
    }

    private int copyProxyStates(byte[] packet, int start, int end) {
        int length = HEADER;
        for (int at = start; at < end; at += packet[at + 1] & 0xFF) {
            if ((packet[at] & 0xFF) == PROXY_STATE) {
                int attributeLength = packet[at + 1] & 0xFF;
                System.arraycopy(packet, at, response, length, attributeLength);
                length += attributeLength;
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
