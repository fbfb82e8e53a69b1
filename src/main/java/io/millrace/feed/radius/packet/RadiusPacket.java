package io.millrace.feed.radius.packet;

import io.millrace.codec.RawBytes;

/**
 * Layout and numbers of RADIUS packets (RFC 2865, sections 3 and 5; RFC 2866). Numbers are in network byte order.
 *
 * <pre>
 *    0        1            2          4                20                              Length
 *    +--------+------------+----------+----------------+---------+---------+-----------+-----------+
 *    | Code   | Identifier | Length   | Authenticator  | Type    | Length  | Value ... | ...       |
 *    +--------+------------+----------+----------------+---------+---------+-----------+-----------+
 *      u8       u8           u16        16 octets        u8        u8, 2 at least, header included
 * </pre>
 *
 * Octets of a datagram after Length are padding. Stateless.
 */
public final class RadiusPacket {

    /** Length of the header, and of the shortest packet, in octets. */
    public static final int HEADER = 20;

    /** Length of the longest packet in octets. */
    public static final int LONGEST = 4096;

    /** Length of an authenticator, and of the value of a Message-Authenticator, in octets. */
    public static final int AUTHENTICATOR = 16;

    /** Offset of the authenticator. */
    public static final int AUTHENTICATOR_AT = 4;

    /** Length of an attribute's type and length in octets. */
    public static final int ATTRIBUTE_HEADER = 2;

    public static final int ACCOUNTING_REQUEST = 4;
    public static final int ACCOUNTING_RESPONSE = 5;
    public static final int STATUS_SERVER = 12;

    public static final int USER_PASSWORD = 2;
    public static final int CHAP_PASSWORD = 3;
    public static final int NAS_IP_ADDRESS = 4;
    public static final int REPLY_MESSAGE = 18;
    public static final int STATE = 24;
    public static final int NAS_IDENTIFIER = 32;
    public static final int PROXY_STATE = 33;
    public static final int ACCT_STATUS_TYPE = 40;
    public static final int ACCT_SESSION_ID = 44;
    public static final int CHAP_CHALLENGE = 60;
    public static final int MESSAGE_AUTHENTICATOR = 80;

    private static final int LENGTH_AT = 2;

    private RadiusPacket() {}

    /**
     * Returns whether a packet contains an authenticator. Takes constant time, so that a sender cannot find the right
     * one octet by octet.
     *
     * @param at offset of the packet's authenticator
     */
    public static boolean hasAuthenticator(byte[] packet, int at, byte[] expected) {
        long high = RawBytes.getLong(packet, at) ^ RawBytes.getLong(expected, 0);
        long low = RawBytes.getLong(packet, at + Long.BYTES) ^ RawBytes.getLong(expected, Long.BYTES);
        return (high | low) == 0;
    }

    /** Returns the code of the packet at an offset. */
    public static int code(byte[] bytes, int at) {
        return bytes[at] & 0xFF;
    }

    /** Returns the Length that the packet at an offset states. */
    public static int length(byte[] bytes, int at) {
        return RawBytes.getShort(bytes, at + LENGTH_AT) & 0xFFFF;
    }

    /** Writes code, identifier and length of a packet. */
    public static void putHeader(byte[] bytes, int at, int code, byte identifier, int length) {
        bytes[at] = (byte) code;
        bytes[at + 1] = identifier;
        RawBytes.putShort(bytes, at + LENGTH_AT, (short) length);
    }
}
