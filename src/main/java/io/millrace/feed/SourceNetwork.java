package io.millrace.feed;

import io.millrace.codec.IpText;
import io.millrace.codec.RawBytes;
import java.net.InetAddress;

/**
 * A network that counts as one sender: an IPv4 address, or the /64 network of an IPv6 address, since one host can use
 * all addresses of such a network. Immutable.
 *
 * @param high upper 64 bits of the address, 0 for IPv4
 * @param low lower 64 bits of an IPv4-mapped IPv6 address ({@code ::ffff:0:0/96}), else 0
 */
public record SourceNetwork(long high, long low) {

    private static final long IPV4 = 0xFFFF_0000_0000L;
    private static final int IPV4_BYTES = Integer.BYTES;
    private static final int IPV6_BYTES = 2 * Long.BYTES;

    /** Returns the network of an address. */
    public static SourceNetwork of(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == IPV4_BYTES
                ? new SourceNetwork(0, IPV4 | Integer.toUnsignedLong(RawBytes.getInt(bytes, 0)))
                : new SourceNetwork(RawBytes.getLong(bytes, 0), 0);
    }

    /** Returns the {@link #low} of the network of an address, given as two times 64 bits. */
    public static long low(long addressHigh, long addressLow) {
        return isIpv4(addressHigh, addressLow) ? addressLow : 0;
    }

    private static boolean isIpv4(long high, long low) {
        return high == 0 && (low & ~0xFFFF_FFFFL) == IPV4;
    }

    /** Returns the IPv4 address, such as {@code 192.0.2.7}, or the IPv6 network, such as {@code 2001:db8::/64}. */
    @Override
    public String toString() {
        byte[] bytes = new byte[IPV6_BYTES];
        RawBytes.putLong(bytes, 0, high);
        RawBytes.putLong(bytes, Long.BYTES, low);
        return isIpv4(high, low)
                ? IpText.format(bytes, IPV6_BYTES - IPV4_BYTES, IPV4_BYTES)
                : IpText.format(bytes, 0, IPV6_BYTES) + "/" + Long.SIZE;
    }
}
