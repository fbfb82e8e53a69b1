package io.millrace.feed.pcap;

/**
 * A view of a captured packet, or of a piece of one, in the reader's array; valid until the reader's next read. Not
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
     * Sets the view to other bytes.
     *
     * @param captured number of captured bytes
     * @param length number of bytes on the wire
     * @param linkType type of the packet's first header: a value of the registry of link-layer header types
     * @param nanos time of capture in nanoseconds since 1970
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

    /** Returns the number of captured bytes. */
    int captured() {
        return captured;
    }

    /** Returns the number of bytes on the wire. */
    long length() {
        return length;
    }

    int linkType() {
        return linkType;
    }

    /** Returns the time of capture in nanoseconds since 1970. */
    long nanos() {
        return nanos;
    }
}
