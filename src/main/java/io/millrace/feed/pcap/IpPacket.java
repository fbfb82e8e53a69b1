package io.millrace.feed.pcap;

import io.millrace.codec.RawBytes;

/**
 * A view of an IPv4 (RFC 791) or IPv6 (RFC 8200) packet, which may be truncated. Skips options and extension headers
 * and finds the payload or the fragment of one. Not thread-safe; allocates nothing.
 *
 * <pre>
 * IPv4  0 version, words(1)  2 length(2)  4 id(2)  6 flags(3 bits), offset(13 bits)
 *       9 protocol(1)  12 source(4)  16 target(4)
 * IPv6  0 version(4 bits)    4 length(2)  6 next(1)  8 source(16)  24 target(16)  40 extension headers
 * fragment header  0 next(1)  2 offset(13 bits), more(1 bit)  4 id(4)
 * </pre>
 */
final class IpPacket {

    /** The kind of a packet. */
    enum Found {
        /** A UDP datagram, or its captured part. */
        UDP,
        /** A fragment of a payload that may be a UDP datagram. */
        FRAGMENT,
        /** Any other packet. */
        OTHER,
        /** The captured bytes end before the kind can be determined. */
        CUT
    }

    private static final int UDP = 17;
    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int FRAGMENT = 44;
    private static final int AUTHENTICATION = 51;
    private static final int DESTINATION = 60;
    private static final int MOBILITY = 135;
    private static final int HOST_IDENTITY = 139;
    private static final int SHIM6 = 140;

    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final int EXTENSION_BYTES = 8;

    private byte[] bytes = new byte[0];
    private int payload;
    private int capturedEnd;
    private long end;
    private int protocol;
    private int addressesAt;
    private int addressesLength;
    private int identification;
    private int fragmentOffset;
    private boolean moreFragments;

    /**
     * Sets the view to a packet.
     *
     * @param newBytes array that contains the packet
     * @param offset of the packet's first byte
     * @param captured number of captured bytes, which may include bytes after the packet
     * @param length of these bytes on the wire
     */
    Found wrap(byte[] newBytes, int offset, int captured, long length) {
        bytes = newBytes;
        capturedEnd = offset + captured;
        end = offset + length;
        fragmentOffset = 0;
        moreFragments = false;
        if (captured == 0) {
            return length == 0 ? Found.OTHER : Found.CUT;
        }
        return switch ((bytes[offset] >>> 4) & 0xf) {
            case 4 -> ipv4(offset);
            case 6 -> ipv6(offset);
            default -> Found.OTHER;
        };
    }

    /**
     * Sets the view to a payload reassembled from fragments.
     *
     * @param firstProtocol protocol number of the payload's first header
     */
    Found wrapPayload(byte[] newBytes, int length, int firstProtocol) {
        bytes = newBytes;
        capturedEnd = length;
        end = length;
        Found found = extensions(0, firstProtocol);
        return found == Found.FRAGMENT ? Found.OTHER : found;
    }

    private Found ipv4(int offset) {
        if (capturedEnd - offset < IPV4_BYTES) {
            return Found.CUT;
        }
        int headerBytes = (bytes[offset] & 0xf) * 4;
        int total = Short.toUnsignedInt(RawBytes.getShort(bytes, offset + 2));
        // Zero in packets captured before the network card segmented them.
        long stated = total == 0 ? end - offset : total;
        if (headerBytes < IPV4_BYTES || stated < headerBytes) {
            return Found.OTHER;
        }
        protocol = bytes[offset + 9] & 0xff;
        if (protocol != UDP) {
            return Found.OTHER;
        }
        endAt(offset + stated);
        payload = offset + headerBytes;
        if (capturedEnd < payload) {
            return Found.CUT;
        }
        int flags = RawBytes.getShort(bytes, offset + 6);
        addressesAt = offset + 12;
        addressesLength = 8;
        identification = Short.toUnsignedInt(RawBytes.getShort(bytes, offset + 4));
        moreFragments = (flags & 0x2000) != 0;
        fragmentOffset = (flags & 0x1fff) * 8;
        return moreFragments || fragmentOffset != 0 ? Found.FRAGMENT : Found.UDP;
    }

    private Found ipv6(int offset) {
        if (capturedEnd - offset < IPV6_BYTES) {
            return Found.CUT;
        }
        int length = Short.toUnsignedInt(RawBytes.getShort(bytes, offset + 4));
        if (length != 0) {
            endAt(offset + IPV6_BYTES + (long) length);
        }
        addressesAt = offset + 8;
        addressesLength = 32;
        return extensions(offset + IPV6_BYTES, bytes[offset + 6] & 0xff);
    }

    /**
     * Skips extension headers. Each is at least eight bytes long, so the loop ends at the packet's end at the latest.
     */
    private Found extensions(int start, int firstHeader) {
        int at = start;
        int next = firstHeader;
        while (next != UDP) {
            if (!isExtension(next)) {
                return Found.OTHER;
            }
            if (end - at < EXTENSION_BYTES) {
                return Found.OTHER;
            }
            if (capturedEnd - at < EXTENSION_BYTES) {
                return Found.CUT;
            }
            int following = bytes[at] & 0xff;
            int units = bytes[at + 1] & 0xff;
            if (next == FRAGMENT) {
                fragment(at);
                at += EXTENSION_BYTES;
                if (moreFragments || fragmentOffset != 0) {
                    protocol = following;
                    payload = at;
                    return following == UDP || isExtension(following) ? Found.FRAGMENT : Found.OTHER;
                }
            } else {
                at += next == AUTHENTICATION ? (units + 2) * 4 : (units + 1) * 8;
            }
            next = following;
        }
        protocol = UDP;
        payload = at;
        if (end < at) {
            return Found.OTHER;
        }
        return capturedEnd < at ? Found.CUT : Found.UDP;
    }

    private void fragment(int at) {
        int flags = Short.toUnsignedInt(RawBytes.getShort(bytes, at + 2));
        fragmentOffset = flags & 0xfff8;
        moreFragments = (flags & 1) != 0;
        identification = RawBytes.getInt(bytes, at + 4);
    }

    private static boolean isExtension(int protocol) {
        return switch (protocol) {
            case HOP_BY_HOP, ROUTING, FRAGMENT, AUTHENTICATION, DESTINATION, MOBILITY, HOST_IDENTITY, SHIM6 -> true;
            default -> false;
        };
    }

    /** Excludes the bytes after the packet's end: padding of the link, or its checksum. */
    private void endAt(long packetEnd) {
        end = packetEnd;
        capturedEnd = (int) Math.min(capturedEnd, packetEnd);
    }

    byte[] bytes() {
        return bytes;
    }

    /** Returns the offset in {@link #bytes()} of the payload. */
    int payload() {
        return payload;
    }

    /** Returns the number of captured bytes of the payload. */
    int captured() {
        return capturedEnd - payload;
    }

    /** Returns the number of bytes of the payload on the wire. */
    long length() {
        return end - payload;
    }

    /** Returns the protocol number of the payload's first header. */
    int protocol() {
        return protocol;
    }

    /** Returns the offset in {@link #bytes()} of the source address, followed by the target address. */
    int addressesAt() {
        return addressesAt;
    }

    /** Returns the length of both addresses in bytes. */
    int addressesLength() {
        return addressesLength;
    }

    int identification() {
        return identification;
    }

    /** Returns the offset of this fragment in the complete payload, in bytes. */
    int fragmentOffset() {
        return fragmentOffset;
    }

    boolean moreFragments() {
        return moreFragments;
    }
}
