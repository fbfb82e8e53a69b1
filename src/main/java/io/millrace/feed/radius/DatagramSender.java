package io.millrace.feed.radius;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.SegmentedDatagramPacket;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Sends small datagrams through a channel. With native epoll those that follow each other to one address, all of one
 * length, go through the kernel's network as one and are parted at its end (UDP generic segmentation offload, Linux
 * 4.18): a client that has many requests in the air gets its answers for a fraction of the cost. Others go one by one.
 *
 * <p>The event loop's own. Netty makes two small objects for what goes through the kernel as one.
 */
final class DatagramSender {

    /** The most that every kernel with segmentation takes (UDP_MAX_SEGMENTS). */
    private static final int MOST = 64;

    /** Octets of a datagram that fits the network's every frame: longer ones are not sent together. */
    private static final int SMALL = 512;

    private final ChannelHandlerContext context;
    private boolean together;
    private @Nullable ByteBuf waiting;
    private @Nullable InetSocketAddress waitingFor;
    private int waitingLength;

    DatagramSender(ChannelHandlerContext context) {
        this.context = context;
        this.together = context.channel() instanceof EpollDatagramChannel
                && EpollDatagramChannel.isSegmentedDatagramPacketSupported();
    }

    /** Whether the channel takes more, as it sees what was written before. */
    boolean isWritable() {
        return context.channel().isWritable();
    }

    /** Sends octets, which it copies, at the next {@link #flush} at the latest. */
    void send(byte[] octets, int length, InetSocketAddress to) {
        if (waiting != null && (length != waitingLength || !to.equals(waitingFor))) {
            write();
        }
        ByteBuf buffer = waiting;
        if (buffer == null) {
            int most = together && length <= SMALL ? MOST * length : length;
            buffer = context.alloc().directBuffer(most, most);
            waiting = buffer;
            waitingFor = to;
            waitingLength = length;
        }
        buffer.writeBytes(octets, 0, length);
        if (!buffer.isWritable()) {
            write();
        }
    }

    void flush() {
        write();
        context.flush();
    }

    /** From now on sends one by one: not every network device or filter takes what is to be parted. */
    void sendApart() {
        together = false;
    }

    private void write() {
        ByteBuf buffer = waiting;
        InetSocketAddress to = waitingFor;
        if (buffer == null || to == null) {
            return;
        }
        waiting = null;
        // Its future is void: a failure goes to the handler's exceptionCaught.
        var _ = context.write(
                buffer.readableBytes() == waitingLength
                        ? new DatagramPacket(buffer, to)
                        : new SegmentedDatagramPacket(buffer, waitingLength, to),
                context.voidPromise());
    }
}
