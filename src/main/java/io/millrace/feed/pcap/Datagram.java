package io.millrace.feed.pcap;

/**
 * The payload of a UDP datagram, or the part of it that was captured: a view, good until the next is read. Not
 * thread-safe.
 */
final class Datagram {

    private byte[] bytes = new byte[0];
    private int offset;
    private int captured;
    private int length;
    private long nanos;

    /** Makes this show another payload. */
    void show(byte[] newBytes, int newOffset, int newCaptured, int newLength, long newNanos) {
        bytes = newBytes;
        offset = newOffset;
        captured = newCaptured;
        length = newLength;
        nanos = newNanos;
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
    int length() {
        return length;
    }

    /** When it was captured, in nanoseconds since 1970. */
    long nanos() {
        return nanos;
    }
}
