package io.millrace.feed.radius.packet;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.SegmentedDatagramPacket;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Sends small datagrams through a channel. With native epoll, consecutive datagrams of one length to one address pass
 * the kernel's network stack as one and are split at its end (UDP generic segmentation offload, Linux 4.18), which
 * reduces the cost of responses to a client with many outstanding requests. Other datagrams are sent one by one.
 *
 * <p>Used on the event loop only. Netty allocates two small objects for each datagram or group of datagrams.
 */
public final class DatagramSender {

    /** The number of segments that every kernel with segmentation offload accepts (UDP_MAX_SEGMENTS). */
    private static final int MAX_SEGMENTS = 64;

    /** The longest datagram that is sent as a segment, in octets: it fits the frame size of every network. */
    private static final int MAX_SEGMENT_OCTETS = 512;

    private final ChannelHandlerContext context;
    private boolean segmentation;
    private @Nullable ByteBuf pending;
    private @Nullable InetSocketAddress pendingRecipient;
    private int pendingLength;

    public DatagramSender(ChannelHandlerContext context) {
        this.context = context;
        this.segmentation = context.channel() instanceof EpollDatagramChannel
                && EpollDatagramChannel.isSegmentedDatagramPacketSupported();
    }

    /** Returns whether the channel accepts more data. */
    public boolean isWritable() {
        return context.channel().isWritable();
    }

    /** Sends a copy of the octets, at the next {@link #flush} at the latest. */
    public void send(byte[] octets, int length, InetSocketAddress recipient) {
        if (pending != null && (length != pendingLength || !recipient.equals(pendingRecipient))) {
            write();
        }
        ByteBuf buffer = pending;
        if (buffer == null) {
            int capacity = segmentation && length <= MAX_SEGMENT_OCTETS ? MAX_SEGMENTS * length : length;
            buffer = context.alloc().directBuffer(capacity, capacity);
            pending = buffer;
            pendingRecipient = recipient;
            pendingLength = length;
        }
        buffer.writeBytes(octets, 0, length);
        if (!buffer.isWritable()) {
            write();
        }
    }

    public void flush() {
        write();
        context.flush();
    }

    /** Disables segmentation: some network devices and filters do not support it. */
    public void sendApart() {
        segmentation = false;
    }

    private void write() {
        ByteBuf buffer = pending;
        InetSocketAddress recipient = pendingRecipient;
        if (buffer == null || recipient == null) {
            return;
        }
        pending = null;
        // With a void promise, Netty reports a failure to the handler's exceptionCaught.
        var _ = context.write(
                buffer.readableBytes() == pendingLength
                        ? new DatagramPacket(buffer, recipient)
                        : new SegmentedDatagramPacket(buffer, pendingLength, recipient),
                context.voidPromise());
    }
}
