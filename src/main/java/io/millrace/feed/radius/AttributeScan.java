package io.millrace.feed.radius;

import static io.millrace.feed.radius.RadiusPacket.ACCT_SESSION_ID;
import static io.millrace.feed.radius.RadiusPacket.ACCT_STATUS_TYPE;
import static io.millrace.feed.radius.RadiusPacket.ATTRIBUTE_HEADER;
import static io.millrace.feed.radius.RadiusPacket.AUTHENTICATOR;
import static io.millrace.feed.radius.RadiusPacket.CHAP_CHALLENGE;
import static io.millrace.feed.radius.RadiusPacket.CHAP_PASSWORD;
import static io.millrace.feed.radius.RadiusPacket.HEADER;
import static io.millrace.feed.radius.RadiusPacket.MESSAGE_AUTHENTICATOR;
import static io.millrace.feed.radius.RadiusPacket.NAS_IDENTIFIER;
import static io.millrace.feed.radius.RadiusPacket.NAS_IP_ADDRESS;
import static io.millrace.feed.radius.RadiusPacket.REPLY_MESSAGE;
import static io.millrace.feed.radius.RadiusPacket.STATE;
import static io.millrace.feed.radius.RadiusPacket.USER_PASSWORD;

import org.jspecify.annotations.Nullable;

/**
 * What one pass over a packet's attributes finds of those that decide whether it is taken. Values are not looked at: a
 * malformed value is no reason to discard a packet (RFC 6929, section 2.8), nor is an attribute that nobody knows.
 *
 * <p>One thread's own; allocates nothing.
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
     * Goes over the attributes of the packet at the array's beginning.
     *
     * @param length of the packet, 20 or more
     * @return null, or what is wrong with their structure; then nothing of this scan is to be asked
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
            int attribute = packet[at + 1] & 0xFF;
            if (attribute < ATTRIBUTE_HEADER || attribute > length - at) {
                return Discard.MALFORMED_ATTRIBUTE;
            }
            note(packet[at] & 0xFF, at + ATTRIBUTE_HEADER, attribute - ATTRIBUTE_HEADER);
            at += attribute;
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

    /** Whether the packet has any Message-Authenticator. */
    boolean hasMessageAuthenticator() {
        return messageAuthenticators > 0;
    }

    /**
     * Where the value of the one Message-Authenticator lies; 0 where it is too short, too long, or not the only one.
     */
    int messageAuthenticatorAt() {
        return messageAuthenticators == 1 ? messageAuthenticatorAt : NONE;
    }

    /** Null, or why these can't be the attributes of an Accounting-Request (RFC 2866, sections 4.1 and 5.13). */
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
