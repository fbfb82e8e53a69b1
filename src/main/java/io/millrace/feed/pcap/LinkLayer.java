package io.millrace.feed.pcap;

import io.millrace.codec.RawBytes;

/**
 * Finds the IP packet after the header of a link-layer type (registry of tcpdump.org). VLAN tags (802.1Q, 802.1ad) may
 * precede the packet, any number of them. Stateless; allocates nothing.
 */
final class LinkLayer {

    /** The packet contains no IP packet. */
    static final int OTHER = -1;
    /** The captured bytes end before this can be determined. */
    static final int CUT = -2;

    /** The supported types, for messages. */
    static final String KNOWN = "0 and 108 (loopback), 1 (Ethernet), 12, 14, 101, 228 and 229 (IP), 113 and 276 (Linux"
            + " cooked capture)";

    private static final int NULL = 0;
    private static final int ETHERNET = 1;
    private static final int RAW_BSD = 12;
    private static final int RAW_OPENBSD = 14;
    private static final int RAW = 101;
    private static final int LOOP = 108;
    private static final int COOKED = 113;
    private static final int IPV4 = 228;
    private static final int IPV6 = 229;
    private static final int COOKED_2 = 276;

    private static final int ETHERNET_TYPE_AT = 12;
    private static final int COOKED_TYPE_AT = 14;
    private static final int COOKED_2_TYPE_AT = 0;
    private static final int COOKED_2_BYTES = 20;
    private static final int FAMILY_BYTES = 4;

    private LinkLayer() {}

    static boolean isKnown(int linkType) {
        return switch (linkType) {
            case NULL, ETHERNET, RAW_BSD, RAW_OPENBSD, RAW, LOOP, COOKED, IPV4, IPV6, COOKED_2 -> true;
            default -> false;
        };
    }

    /**
     * Returns the offset of the IP packet from the packet's first byte; {@link #OTHER} or {@link #CUT} if there is
     * none.
     */
    static int network(Packet packet) {
        return switch (packet.linkType()) {
            case ETHERNET -> typed(packet, ETHERNET_TYPE_AT, ETHERNET_TYPE_AT + 2);
            case COOKED -> typed(packet, COOKED_TYPE_AT, COOKED_TYPE_AT + 2);
            case COOKED_2 -> typed(packet, COOKED_2_TYPE_AT, COOKED_2_BYTES);
            case NULL, LOOP -> family(packet);
            case RAW_BSD, RAW_OPENBSD, RAW, IPV4, IPV6 -> 0;
            default -> OTHER;
        };
    }

    /** Reads a header with an EtherType, followed by VLAN tags that each end with the next EtherType. */
    private static int typed(Packet packet, int typeAt, int headerBytes) {
        int at = typeAt;
        int end = headerBytes;
        while (true) {
            if (packet.captured() < end) {
                return CUT;
            }
            int type = Short.toUnsignedInt(RawBytes.getShort(packet.bytes(), packet.offset() + at));
            switch (type) {
                case 0x0800, 0x86dd -> {
                    return end;
                }
                case 0x8100, 0x88a8, 0x9100, 0x9200 -> {
                    at = end + 2;
                    end += 4;
                }
                default -> {
                    return OTHER;
                }
            }
        }
    }

    /**
     * Reads an address family in the byte order of the capturing machine; the number of IPv6 differs between systems.
     */
    private static int family(Packet packet) {
        if (packet.captured() < FAMILY_BYTES) {
            return CUT;
        }
        int family = RawBytes.getInt(packet.bytes(), packet.offset());
        int number = (family & 0xffff) == 0 ? Integer.reverseBytes(family) : family;
        return switch (number) {
            case 2, 10, 24, 28, 30 -> FAMILY_BYTES;
            default -> OTHER;
        };
    }
}
