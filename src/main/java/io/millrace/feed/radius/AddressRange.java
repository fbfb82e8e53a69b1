package io.millrace.feed.radius;

import io.millrace.codec.IpText;
import io.millrace.codec.RawBytes;

/**
 * A range of addresses with a common prefix, such as {@code 10.0.0.0/8}, {@code 2001:db8::/32} or the single address
 * {@code 10.1.2.3}. IPv4 addresses are stored as IPv4-mapped IPv6 addresses ({@code ::ffff:0:0/96}). Immutable.
 *
 * @param high upper 64 bits of the first address
 * @param low lower 64 bits of the first address
 * @param prefix length of the common prefix, of 128 bits
 */
public record AddressRange(long high, long low, int prefix) {

    private static final int BITS = 128;
    private static final int IPV4_BITS = 32;
    private static final int IPV4_PREFIX = BITS - IPV4_BITS;
    private static final long IPV4 = 0xFFFF_0000_0000L;

    /**
     * Parses a range.
     *
     * @throws IllegalArgumentException if the text is not a valid range; the message gives the reason
     */
    public static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        byte[] bytes = IpText.parse(address, Integer.BYTES);
        if (bytes == null) {
            bytes = IpText.parse(address, BITS / Byte.SIZE);
        }
        if (bytes == null) {
            throw new IllegalArgumentException("Invalid address '" + text
                    + "'. Use an address or a range, such as 10.1.2.3, 10.0.0.0/8 or 2001:db8::/32.");
        }
        int bits = Byte.SIZE * bytes.length;
        int prefix = BITS - bits + (slash < 0 ? bits : prefix(text, text.substring(slash + 1), bits));
        AddressRange range = new AddressRange(high(bytes), low(bytes), prefix);
        if (!range.contains(range.high, range.low)) {
            throw new IllegalArgumentException("Invalid address '" + text + "'. Set all bits behind the prefix to 0.");
        }
        return range;
    }

    private static int prefix(String text, String digits, int bits) {
        if (digits.matches("\\d{1,3}") && Integer.parseInt(digits) <= bits) {
            return Integer.parseInt(digits);
        }
        throw new IllegalArgumentException(
                "Invalid prefix '" + digits + "' of address '" + text + "'. Use 0 to " + bits + ".");
    }

    /** Returns the upper 64 bits of an address of 4 or 16 bytes, in the form that ranges use. */
    static long high(byte[] address) {
        return address.length == Integer.BYTES ? 0 : RawBytes.getLong(address, 0);
    }

    /** Returns the lower 64 bits of an address of 4 or 16 bytes, in the form that ranges use. */
    static long low(byte[] address) {
        return address.length == Integer.BYTES
                ? IPV4 | Integer.toUnsignedLong(RawBytes.getInt(address, 0))
                : RawBytes.getLong(address, Long.BYTES);
    }

    /** Returns the upper 64 bits of the last address. */
    long lastHigh() {
        return high | ~highMask();
    }

    /** Returns the lower 64 bits of the last address. */
    long lastLow() {
        return low | ~lowMask();
    }

    /** Returns whether the range contains an address. */
    boolean contains(long addressHigh, long addressLow) {
        return (addressHigh & highMask()) == high && (addressLow & lowMask()) == low;
    }

    private long highMask() {
        return prefix == 0 ? 0 : -1L << Math.max(0, Long.SIZE - prefix);
    }

    private long lowMask() {
        return prefix <= Long.SIZE ? 0 : -1L << (BITS - prefix);
    }

    /** Returns the first address in its usual notation, followed by the prefix length. */
    @Override
    public String toString() {
        byte[] bytes = new byte[BITS / Byte.SIZE];
        RawBytes.putLong(bytes, 0, high);
        RawBytes.putLong(bytes, Long.BYTES, low);
        boolean ipv4 = high == 0 && (low & ~0xFFFF_FFFFL) == IPV4 && prefix >= IPV4_PREFIX;
        return ipv4
                ? IpText.format(bytes, IPV4_PREFIX / Byte.SIZE, Integer.BYTES) + "/" + (prefix - IPV4_PREFIX)
                : IpText.format(bytes, 0, bytes.length) + "/" + prefix;
    }
}
