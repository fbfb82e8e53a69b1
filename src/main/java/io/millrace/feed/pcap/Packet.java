package io.millrace.feed.pcap;

/**
 * A packet as it was captured, or a piece of one: a view over the reader's bytes, good until the reader's next. Not
 * thread-safe.
 */
final class Packet {

    private byte[] bytes = new byte[0];
    private int offset;
    private int captured;
    private long length;
    private int linkType;
    private long nanos;

    /**
     * Makes this show other bytes.
     *
     * @param captured how many there are, in bytes
     * @param length how many there were on the wire
     * @param linkType what the bytes begin with: a value of the registry of link-layer header types
     * @param nanos when it was captured, in nanoseconds since 1970
     */
    Packet show(byte[] newBytes, int newOffset, int captured, long length, int linkType, long nanos) {
        this.bytes = newBytes;
        this.offset = newOffset;
        this.captured = captured;
        this.length = length;
        this.linkType = linkType;
        this.nanos = nanos;
        return this;
    }

    byte[] bytes() {
        return bytes;
    }

    int offset() {
        return offset;
    }

    /** Bytes that are there. */
    int captured() {
        return captured;
    }

    /** Bytes that there were on the wire. */
    long length() {
        return length;
    }

    int linkType() {
        return linkType;
    }

    /** When it was captured, in nanoseconds since 1970. */
    long nanos() {
        return nanos;
    }
}
