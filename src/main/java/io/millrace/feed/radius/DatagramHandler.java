package io.millrace.feed.radius;

import io.millrace.feed.radius.packet.DatagramSender;
import io.millrace.feed.radius.packet.RadiusPacket;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects a Netty channel to the server: passes received datagrams to the server and sends its responses. Handles all
 * datagrams of a read together and flushes responses together, so that one system call transfers many datagrams.
 *
 * <p>All methods run on the channel's event loop except {@link #answerSoon} and {@link #answerNow}.
 */
final class DatagramHandler extends ChannelInboundHandlerAdapter implements AccountingServer.Outlet {

    private static final Logger LOG = LoggerFactory.getLogger(DatagramHandler.class);

    private final AccountingServer server;
    private final RequestQueue queue;
    private final RadiusCounters counters;
    private final byte[] datagram = new byte[RadiusPacket.LONGEST];
    private final Runnable answerTask = this::answer;
    private volatile @Nullable ChannelHandlerContext context;
    private @Nullable DatagramSender sender;
    private boolean answering;

    DatagramHandler(RadiusSettings definition, RequestQueue queue, RadiusCounters counters) {
        this.server = new AccountingServer(definition, queue, counters, this, System::nanoTime);
        this.queue = queue;
        this.counters = counters;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        sender = new DatagramSender(added);
        context = added;
    }

    /**
     * Enables auto-read: Reactor Netty reads on a subscriber's demand only, there is no subscriber, and it disables
     * auto-read when it receives this event.
     */
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.fireChannelActive();
        ctx.channel().config().setAutoRead(true);
    }

    /** Schedules the event loop to answer the stored requests. Thread-safe. */
    void answerSoon() {
        context().executor().execute(answerTask);
    }

    /** Answers the stored requests and waits until this is done. Must not be called on the event loop. */
    void answerNow() {
        var _ = context().executor().submit(answerTask).awaitUninterruptibly();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        DatagramPacket packet = (DatagramPacket) message;
        try {
            ByteBuf content = packet.content();
            int received = Math.min(content.readableBytes(), datagram.length);
            content.getBytes(content.readerIndex(), datagram, 0, received);
            server.receive(datagram, received, packet.sender());
        } finally {
            packet.release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        queue.wake();
        sender().flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        answer();
    }

    /**
     * Counts the failure, such as a failed send. The socket stays open; clients retransmit requests whose responses
     * were lost.
     */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        counters.failed.add(1);
        sender().sendApart();
        LOG.debug("a datagram could not be read or sent", cause);
    }

    /** Answers the stored requests. A flush can make the channel writable and so call this method recursively. */
    private void answer() {
        if (answering) {
            return;
        }
        answering = true;
        try {
            do {
                server.answerStored();
                sender().flush();
            } while (queue.hasStored() && isOpen());
        } finally {
            answering = false;
        }
    }

    @Override
    public boolean isOpen() {
        return sender().isWritable();
    }

    @Override
    public void send(byte[] octets, int length, InetSocketAddress recipient) {
        sender().send(octets, length, recipient);
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(context);
    }

    private DatagramSender sender() {
        return Objects.requireNonNull(sender);
    }
}
