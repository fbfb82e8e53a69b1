package io.millrace.feed.pcap;

/**
 * A view of the payload of a UDP datagram, or of its captured part; valid until the next datagram is read. Not
 * thread-safe.
 */
final class Datagram {

    private byte[] bytes = new byte[0];
    private int offset;
    private int captured;
    private int length;
    private long nanos;

    /** Sets the view to another payload. */
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

    /** Returns the number of captured bytes. */
    int captured() {
        return captured;
    }

    /** Returns the number of bytes on the wire. */
    int length() {
        return length;
    }

    /** Returns the time of capture in nanoseconds since 1970. */
    long nanos() {
        return nanos;
    }
}
