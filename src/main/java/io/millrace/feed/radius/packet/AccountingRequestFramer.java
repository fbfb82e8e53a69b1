package io.millrace.feed.radius.packet;

import static io.millrace.feed.radius.packet.RadiusPacket.ACCOUNTING_REQUEST;
import static io.millrace.feed.radius.packet.RadiusPacket.ATTRIBUTE_HEADER;
import static io.millrace.feed.radius.packet.RadiusPacket.AUTHENTICATOR_AT;
import static io.millrace.feed.radius.packet.RadiusPacket.HEADER;
import static io.millrace.feed.radius.packet.RadiusPacket.LONGEST;

import io.millrace.feed.pcap.DatagramFramer;
import org.jspecify.annotations.Nullable;

/**
 * Admits the RADIUS accounting requests (RFC 2866) of a capture: code 4, a Length of 20 to 4096 that the datagram
 * contains, and attributes that end exactly at Length (RFC 2865, section 5). Octets after Length are padding. If a
 * secret is configured, the Request Authenticator must match it (RFC 2866, section 3).
 */
public final class AccountingRequestFramer implements DatagramFramer {

    private final @Nullable Secret secret;
    private final PacketDigest digest = new PacketDigest();

    /** @param secret of the clients that sent the requests; null to skip the check of the Request Authenticator */
    public AccountingRequestFramer(@Nullable Secret secret) {
        this.secret = secret;
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
        if (RadiusPacket.code(bytes, offset) != ACCOUNTING_REQUEST) {
            return OTHER;
        }
        if (captured < AUTHENTICATOR_AT) {
            return length < HEADER ? MALFORMED : CUT;
        }
        int stated = RadiusPacket.length(bytes, offset);
        if (stated < HEADER || stated > LONGEST || stated > length) {
            return MALFORMED;
        }
        if (stated > captured) {
            return CUT;
        }
        if (!isFilled(bytes, offset + HEADER, offset + stated)) {
            return MALFORMED;
        }
        return secret == null || isGenuine(bytes, offset, stated, secret) ? stated : FORGED;
    }

    private static boolean isFilled(byte[] bytes, int start, int end) {
        int offset = start;
        while (end - offset >= ATTRIBUTE_HEADER) {
            int attributeLength = bytes[offset + 1] & 0xFF;
            if (attributeLength < ATTRIBUTE_HEADER) {
                return false;
            }
            offset += attributeLength;
        }
        return offset == end;
    }

    private boolean isGenuine(byte[] bytes, int offset, int length, Secret key) {
        byte[] expected = digest.requestAuthenticator(bytes, offset, length, key);
        return RadiusPacket.hasAuthenticator(bytes, offset + AUTHENTICATOR_AT, expected);
    }

    @Override
    public String recordName() {
        return "RADIUS accounting request";
    }
}
