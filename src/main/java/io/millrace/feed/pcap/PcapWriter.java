package io.millrace.feed.pcap;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes captures in pcap format. Buffers the bytes in memory until they are moved to a stream. Not thread-safe.
 *
 * @see UdpFrame
 */
public final class PcapWriter {

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteOrder order;
    private final boolean nanos;

    /**
     * @param order byte order of the capture's own headers
     * @param nanos whether timestamps are in nanoseconds instead of microseconds
     * @param linkType link-layer type of the packets, as a number of pcap
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

    /** Creates a writer with timestamps in microseconds and little-endian headers. */
    PcapWriter(int linkType) {
        this(ByteOrder.LITTLE_ENDIAN, false, linkType);
    }

    /** Writes a complete packet, captured at a time in nanoseconds since 1970. */
    public PcapWriter packet(long epochNanos, byte[] bytes) {
        return packet(epochNanos, bytes, bytes.length);
    }

    /** Writes a packet of which only the first bytes were captured. */
    PcapWriter packet(long epochNanos, byte[] bytes, int captured) {
        long fraction = epochNanos % NANOS_PER_SECOND;
        out.writeBytes(buffer(16 + captured)
                .putInt((int) (epochNanos / NANOS_PER_SECOND))
                .putInt((int) (nanos ? fraction : fraction / 1000))
                .putInt(captured)
                .putInt(bytes.length)
                .put(bytes, 0, captured)
                .array());
        return this;
    }

    /** Moves the bytes written so far to a stream, so that a long capture need not fit in memory. */
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
