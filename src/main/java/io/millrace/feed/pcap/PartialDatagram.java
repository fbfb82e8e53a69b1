package io.millrace.feed.pcap;

import java.util.Arrays;

/**
 * The received fragments of one IP payload, in any order. Reused for one payload after the other; allocates its memory,
 * {@value #LONGEST} bytes, for the first one. Not thread-safe.
 */
final class PartialDatagram {

    /** Length of the longest payload in bytes. */
    static final int LONGEST = 65_535;

    /** The result of adding a fragment. */
    enum Added {
        /** The payload is incomplete. */
        WAITING,
        /** The payload is complete. */
        WHOLE,
        /** The fragment contradicts the others, so that the payload is invalid. */
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
    private int highestEnd;
    private int total;
    private long sinceNanos;
    private boolean used;

    /** Starts the payload that a fragment belongs to. */
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
        highestEnd = 0;
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

    /** Returns the time of capture of the first fragment, in nanoseconds since 1970. */
    long sinceNanos() {
        return sinceNanos;
    }

    /** Returns whether a fragment belongs to this payload: both addresses and the identification are equal. */
    boolean holds(IpPacket fragment) {
        int at = fragment.addressesAt();
        return used
                && identification == fragment.identification()
                && addressesLength == fragment.addressesLength()
                && Arrays.equals(addresses, 0, addressesLength, fragment.bytes(), at, at + addressesLength);
    }

    /**
     * Adds a completely captured fragment. A repeated fragment with the same bytes has no effect; one that partially
     * overlaps others contradicts them (RFC 5722).
     */
    Added add(IpPacket fragment) {
        int start = fragment.fragmentOffset();
        int length = fragment.captured();
        boolean last = !fragment.moreFragments();
        if (start + length > LONGEST || (!last && length % UNIT_BYTES != 0) || (last && !endsAt(start + length))) {
            return Added.CONTRADICTS;
        }
        if (total != UNKNOWN && start + length > total) {
            return Added.CONTRADICTS;
        }
        if (start == 0) {
            protocol = fragment.protocol();
        }
        int first = start / UNIT_BYTES;
        int count = (length + UNIT_BYTES - 1) / UNIT_BYTES;
        int seenUnits = 0;
        for (int unit = first; unit < first + count; unit++) {
            seenUnits += (int) (seen[unit / Long.SIZE] >>> unit) & 1;
        }
        if (seenUnits == 0) {
            take(fragment, start, length, first, count);
        } else if (seenUnits < count || !isSame(fragment, start, length)) {
            return Added.CONTRADICTS;
        }
        return total != UNKNOWN && units == (total + UNIT_BYTES - 1) / UNIT_BYTES ? Added.WHOLE : Added.WAITING;
    }

    /** Sets the length of the payload, and returns whether the fragments received so far allow it. */
    private boolean endsAt(int end) {
        if (total == UNKNOWN && highestEnd <= end) {
            total = end;
        }
        return total == end;
    }

    private void take(IpPacket fragment, int start, int length, int first, int count) {
        System.arraycopy(fragment.bytes(), fragment.payload(), bytes, start, length);
        for (int unit = first; unit < first + count; unit++) {
            seen[unit / Long.SIZE] |= 1L << unit;
        }
        units += count;
        highestEnd = Math.max(highestEnd, start + length);
    }

    private boolean isSame(IpPacket fragment, int start, int length) {
        int at = fragment.payload();
        return Arrays.equals(bytes, start, start + length, fragment.bytes(), at, at + length);
    }

    /** Returns the array with the payload from index 0 on. */
    byte[] bytes() {
        return bytes;
    }

    /** Returns the length of the complete payload in bytes. */
    int length() {
        return total;
    }

    /** Returns the protocol number of the payload's first header. */
    int protocol() {
        return protocol;
    }
}
