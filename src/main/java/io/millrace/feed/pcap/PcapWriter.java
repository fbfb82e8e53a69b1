package io.millrace.feed.pcap;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes captures in pcap. Its bytes gather in memory until they are moved elsewhere. Not thread-safe.
 *
 * @see UdpFrame
 */
public final class PcapWriter {

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteOrder order;
    private final boolean nanos;

    /**
     * @param order of the numbers in the capture's own headers
     * @param nanos whether times are kept in nanoseconds, not in microseconds
     * @param linkType what packets begin with, by its number in pcap
     */
    public PcapWriter(ByteOrder order, boolean nanos, int linkType) {
        this.order = order;
        this.nanos = nanos;
        out.writeBytes(buffer(24)
                .putInt(nanos ? 0xa1b23c4d : 0xa1b2c3d4)
                .putShort((short) 2)
                .putShort((short) 4)
                .putLong(0)
                .putInt(65_535)
                .putInt(linkType)
                .array());
    }

    /** In microseconds, least significant byte first. */
    PcapWriter(int linkType) {
        this(ByteOrder.LITTLE_ENDIAN, false, linkType);
    }

    /** A whole packet, at that time since 1970. */
    public PcapWriter packet(long atNanos, byte[] bytes) {
        return packet(atNanos, bytes, bytes.length);
    }

    /** A packet of which only the first bytes were captured. */
    PcapWriter packet(long atNanos, byte[] bytes, int captured) {
        long fraction = atNanos % NANOS_PER_SECOND;
        out.writeBytes(buffer(16 + captured)
                .putInt((int) (atNanos / NANOS_PER_SECOND))
                .putInt((int) (nanos ? fraction : fraction / 1000))
                .putInt(captured)
                .putInt(bytes.length)
                .put(bytes, 0, captured)
                .array());
        return this;
    }

    /** Moves what was written so far to a stream, so that a long capture need not lie in memory. */
    public void moveTo(OutputStream stream) throws IOException {
        out.writeTo(stream);
        out.reset();
    }

    byte[] toBytes() {
        return out.toByteArray();
    }

    private ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(order);
    }
}
