package io.millrace.feed.radius;

import static io.millrace.feed.radius.packet.RadiusPacket.ACCT_SESSION_ID;
import static io.millrace.feed.radius.packet.RadiusPacket.ACCT_STATUS_TYPE;
import static io.millrace.feed.radius.packet.RadiusPacket.ATTRIBUTE_HEADER;
import static io.millrace.feed.radius.packet.RadiusPacket.AUTHENTICATOR;
import static io.millrace.feed.radius.packet.RadiusPacket.CHAP_CHALLENGE;
import static io.millrace.feed.radius.packet.RadiusPacket.CHAP_PASSWORD;
import static io.millrace.feed.radius.packet.RadiusPacket.HEADER;
import static io.millrace.feed.radius.packet.RadiusPacket.MESSAGE_AUTHENTICATOR;
import static io.millrace.feed.radius.packet.RadiusPacket.NAS_IDENTIFIER;
import static io.millrace.feed.radius.packet.RadiusPacket.NAS_IP_ADDRESS;
import static io.millrace.feed.radius.packet.RadiusPacket.REPLY_MESSAGE;
import static io.millrace.feed.radius.packet.RadiusPacket.STATE;
import static io.millrace.feed.radius.packet.RadiusPacket.USER_PASSWORD;

import org.jspecify.annotations.Nullable;

/**
 * Collects in one pass over a packet's attributes the facts that decide whether the packet is accepted. Does not read
 * attribute values: a malformed value is no reason to discard a packet (RFC 6929, section 2.8), nor is an unknown
 * attribute.
 *
 * <p>Not thread-safe; allocates nothing.
 */
final class AttributeScan {

    private static final int NONE = 0;

    private int statusTypes;
    private int sessionIds;
    private boolean nas;
    private boolean forbidden;
    private int messageAuthenticators;
    private int messageAuthenticatorAt;

    /**
     * Scans the attributes of the packet at the start of the array.
     *
     * @param length of the packet, 20 or more
     * @return null, or the structural error; the results of the scan are then undefined
     */
    @Nullable
    Discard scan(byte[] packet, int length) {
        statusTypes = 0;
        sessionIds = 0;
        nas = false;
        forbidden = false;
        messageAuthenticators = 0;
        messageAuthenticatorAt = NONE;
        int at = HEADER;
        while (at < length) {
            if (length - at < ATTRIBUTE_HEADER) {
                return Discard.MALFORMED_ATTRIBUTE;
            }
            int attributeLength = packet[at + 1] & 0xFF;
            if (attributeLength < ATTRIBUTE_HEADER || attributeLength > length - at) {
                return Discard.MALFORMED_ATTRIBUTE;
            }
            note(packet[at] & 0xFF, at + ATTRIBUTE_HEADER, attributeLength - ATTRIBUTE_HEADER);
            at += attributeLength;
        }
        return null;
    }

    private void note(int type, int valueAt, int valueLength) {
        switch (type) {
            case NAS_IP_ADDRESS, NAS_IDENTIFIER -> nas = true;
            case ACCT_STATUS_TYPE -> statusTypes++;
            case ACCT_SESSION_ID -> sessionIds++;
            case USER_PASSWORD, CHAP_PASSWORD, REPLY_MESSAGE, STATE, CHAP_CHALLENGE -> forbidden = true;
            case MESSAGE_AUTHENTICATOR -> {
                messageAuthenticators++;
                messageAuthenticatorAt = valueLength == AUTHENTICATOR ? valueAt : NONE;
            }
            default -> {}
        }
    }

    /** Returns whether the packet has at least one Message-Authenticator. */
    boolean hasMessageAuthenticator() {
        return messageAuthenticators > 0;
    }

    /**
     * Returns the offset of the value of the Message-Authenticator; 0 unless the packet has exactly one, of the right
     * length.
     */
    int messageAuthenticatorAt() {
        return messageAuthenticators == 1 ? messageAuthenticatorAt : NONE;
    }

    /**
     * Returns null, or the reason why the attributes are not those of an Accounting-Request (RFC 2866, sections 4.1 and
     * 5.13).
     */
    @Nullable
    Discard refuseAccounting() {
        if (forbidden) {
            return Discard.FORBIDDEN_ATTRIBUTE;
        }
        if (statusTypes > 1 || sessionIds > 1) {
            return Discard.REPEATED_ATTRIBUTE;
        }
        return statusTypes == 1 && sessionIds == 1 && nas ? null : Discard.MISSING_ATTRIBUTE;
    }
}
