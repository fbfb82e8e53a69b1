package io.millrace.feed.pcap;

import java.util.Arrays;

/**
 * The fragments of one IP payload as far as they have come, in any order. Reused for one after the other; takes its
 * memory, {@value #LONGEST} bytes, with its first. Not thread-safe.
 */
final class PartialDatagram {

    /** The longest payload, in bytes. */
    static final int LONGEST = 65_535;

    /** What a fragment did. */
    enum Added {
        /** More are needed. */
        WAITING,
        /** The payload is whole. */
        WHOLE,
        /** It contradicts the others, so that all of them mean nothing. */
        CONTRADICTS
    }

    private static final int UNIT_BYTES = 8;
    private static final int LONGEST_ADDRESSES = 32;
    private static final int UNKNOWN = -1;

    private final byte[] addresses = new byte[LONGEST_ADDRESSES];
    private final long[] seen = new long[(LONGEST / UNIT_BYTES + 1) / Long.SIZE + 1];
    private byte[] bytes = new byte[0];
    private int addressesLength;
    private int identification;
    private int protocol;
    private int units;
    private int reached;
    private int total;
    private long sinceNanos;
    private boolean used;

    /** Begins with the payload that a fragment belongs to. */
    void begin(IpPacket fragment, long nanos) {
        if (bytes.length == 0) {
            bytes = new byte[LONGEST];
        }
        addressesLength = fragment.addressesLength();
        System.arraycopy(fragment.bytes(), fragment.addressesAt(), addresses, 0, addressesLength);
        identification = fragment.identification();
        protocol = fragment.protocol();
        sinceNanos = nanos;
        units = 0;
        reached = 0;
        total = UNKNOWN;
        used = true;
        Arrays.fill(seen, 0);
    }

    void free() {
        used = false;
    }

    boolean isUsed() {
        return used;
    }

    /** When its first fragment was captured, in nanoseconds since 1970. */
    long sinceNanos() {
        return sinceNanos;
    }

    /** Whether a fragment belongs to it: both addresses and the identification are the same. */
    boolean holds(IpPacket fragment) {
        int at = fragment.addressesAt();
        return used
                && identification == fragment.identification()
                && addressesLength == fragment.addressesLength()
                && Arrays.equals(addresses, 0, addressesLength, fragment.bytes(), at, at + addressesLength);
    }

    /**
     * Adds a fragment, all of which was captured. One that came before with the same bytes changes nothing; one that
     * overlaps others in part contradicts them (RFC 5722).
     */
    Added add(IpPacket fragment) {
        int from = fragment.fragmentOffset();
        int length = fragment.captured();
        boolean last = !fragment.moreFragments();
        if (from + length > LONGEST || (!last && length % UNIT_BYTES != 0) || (last && !endsAt(from + length))) {
            return Added.CONTRADICTS;
        }
        if (total != UNKNOWN && from + length > total) {
            return Added.CONTRADICTS;
        }
        if (from == 0) {
            protocol = fragment.protocol();
        }
        int first = from / UNIT_BYTES;
        int count = (length + UNIT_BYTES - 1) / UNIT_BYTES;
        int known = 0;
        for (int unit = first; unit < first + count; unit++) {
            known += (int) (seen[unit / Long.SIZE] >>> unit) & 1;
        }
        if (known == 0) {
            take(fragment, from, length, first, count);
        } else if (known < count || !isSame(fragment, from, length)) {
            return Added.CONTRADICTS;
        }
        return total != UNKNOWN && units == (total + UNIT_BYTES - 1) / UNIT_BYTES ? Added.WHOLE : Added.WAITING;
    }

    /** Whether the payload can end there, after what has come. */
    private boolean endsAt(int end) {
        if (total == UNKNOWN && reached <= end) {
            total = end;
        }
        return total == end;
    }

    private void take(IpPacket fragment, int from, int length, int first, int count) {
        System.arraycopy(fragment.bytes(), fragment.payload(), bytes, from, length);
        for (int unit = first; unit < first + count; unit++) {
            seen[unit / Long.SIZE] |= 1L << unit;
        }
        units += count;
        reached = Math.max(reached, from + length);
    }

    private boolean isSame(IpPacket fragment, int from, int length) {
        int at = fragment.payload();
        return Arrays.equals(bytes, from, from + length, fragment.bytes(), at, at + length);
    }

    /** The payload from its first byte on. */
    byte[] bytes() {
        return bytes;
    }

    /** Length in bytes of the whole payload. */
    int length() {
        return total;
    }

    /** What the payload begins with, as a protocol number. */
    int protocol() {
        return protocol;
    }
}
