package io.millrace.feed.radius;

import static io.millrace.feed.radius.RadiusPacket.ACCOUNTING_REQUEST;
import static io.millrace.feed.radius.RadiusPacket.AUTHENTICATOR_AT;
import static io.millrace.feed.radius.RadiusPacket.HEADER;
import static io.millrace.feed.radius.RadiusPacket.LONGEST;
import static io.millrace.feed.radius.RadiusPacket.STATUS_SERVER;

import io.millrace.codec.RawBytes;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a datagram is a packet that may be taken, and from its client. The cheap checks come first; the
 * authenticator before those on what is in the packet, so that what the counters tell of a client is its own doing.
 *
 * <p>One thread's own; allocates nothing.
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
     * Checks the datagram at the array's beginning.
     *
     * @param received how many octets came, or 4096 of those where more did
     * @return null, or why it is to be discarded; then nothing else of this check is to be asked
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

    /** Whether the packet last checked asks for the server's state only. */
    boolean isStatus() {
        return code == STATUS_SERVER;
    }

    /** Octets of the packet last checked, padding not counted. */
    int length() {
        return length;
    }

    /**
     * Upper 64 bits of the Request Authenticator that the accounting request last checked should have. It has no other,
     * unless its client need not sign; then this still tells its requests apart.
     */
    long digestHigh() {
        return digestHigh;
    }

    /** Lower 64 bits of the same. */
    long digestLow() {
        return digestLow;
    }
}
