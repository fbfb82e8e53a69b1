package io.millrace.feed.radius;

import static io.millrace.feed.radius.packet.RadiusPacket.ACCOUNTING_REQUEST;
import static io.millrace.feed.radius.packet.RadiusPacket.AUTHENTICATOR_AT;
import static io.millrace.feed.radius.packet.RadiusPacket.HEADER;
import static io.millrace.feed.radius.packet.RadiusPacket.LONGEST;
import static io.millrace.feed.radius.packet.RadiusPacket.STATUS_SERVER;

import io.millrace.codec.RawBytes;
import io.millrace.feed.radius.packet.PacketDigest;
import io.millrace.feed.radius.packet.RadiusPacket;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a datagram is an acceptable packet of its client. Cheap checks come first. The authenticator is
 * checked before the attributes, so that the counters of attribute errors count only packets of the client itself.
 *
 * <p>Not thread-safe; allocates nothing.
 */
final class PacketCheck {

    private final PacketDigest digest;
    private final AttributeScan attributes = new AttributeScan();
    private int code;
    private int length;
    private long digestHigh;
    private long digestLow;

    PacketCheck(PacketDigest digest) {
        this.digest = digest;
    }

    /**
     * Checks the datagram at the start of the array.
     *
     * @param received octets received, at most 4096: the rest of a longer datagram is cut off
     * @return null, or the reason to discard the datagram; the other methods are then undefined
     */
    @Nullable
    Discard check(byte[] datagram, int received, RadiusClient client) {
        if (received < HEADER) {
            return Discard.TRUNCATED;
        }
        code = RadiusPacket.code(datagram, 0);
        if (code != ACCOUNTING_REQUEST && code != STATUS_SERVER) {
            return Discard.UNEXPECTED_CODE;
        }
        length = RadiusPacket.length(datagram, 0);
        if (length < HEADER || length > LONGEST) {
            return Discard.BAD_LENGTH;
        }
        if (received < length) {
            return Discard.TRUNCATED;
        }
        Discard malformed = attributes.scan(datagram, length);
        if (malformed != null) {
            return malformed;
        }
        return code == STATUS_SERVER ? checkStatus(datagram, client) : checkAccounting(datagram, client);
    }

    private @Nullable Discard checkStatus(byte[] packet, RadiusClient client) {
        return attributes.hasMessageAuthenticator()
                ? checkMessage(packet, client)
                : Discard.MISSING_MESSAGE_AUTHENTICATOR;
    }

    private @Nullable Discard checkAccounting(byte[] packet, RadiusClient client) {
        byte[] expected = digest.requestAuthenticator(packet, 0, length, client.secret());
        digestHigh = RawBytes.getLong(expected, 0);
        digestLow = RawBytes.getLong(expected, Long.BYTES);
        long high = RawBytes.getLong(packet, AUTHENTICATOR_AT);
        long low = RawBytes.getLong(packet, AUTHENTICATOR_AT + Long.BYTES);
        boolean right = RadiusPacket.hasAuthenticator(packet, AUTHENTICATOR_AT, expected);
        boolean unsigned = client.acceptZeroAuthenticator() && (high | low) == 0;
        if (!right && !unsigned) {
            return Discard.BAD_AUTHENTICATOR;
        }
        if (attributes.hasMessageAuthenticator()) {
            Discard wrong = checkMessage(packet, client);
            if (wrong != null) {
                return wrong;
            }
        } else if (client.requireMessageAuthenticator()) {
            return Discard.MISSING_MESSAGE_AUTHENTICATOR;
        }
        return attributes.refuseAccounting();
    }

    private @Nullable Discard checkMessage(byte[] packet, RadiusClient client) {
        int at = attributes.messageAuthenticatorAt();
        if (at == 0) {
            return Discard.BAD_MESSAGE_AUTHENTICATOR;
        }
        byte[] expected = digest.messageAuthenticator(packet, 0, length, at, client.secret());
        return RadiusPacket.hasAuthenticator(packet, at, expected) ? null : Discard.BAD_MESSAGE_AUTHENTICATOR;
    }

    /** Returns whether the packet last checked is a Status-Server query. */
    boolean isStatus() {
        return code == STATUS_SERVER;
    }

    /** Returns the length of the packet last checked in octets, without padding. */
    int length() {
        return length;
    }

    /**
     * Returns the upper 64 bits of the Request Authenticator computed for the accounting request last checked. The
     * request contains the same value, unless its client need not sign; the computed value identifies the request in
     * both cases.
     */
    long digestHigh() {
        return digestHigh;
    }

    /** Returns the lower 64 bits of the computed Request Authenticator. */
    long digestLow() {
        return digestLow;
    }
}
