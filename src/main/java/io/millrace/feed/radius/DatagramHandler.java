package io.millrace.feed.radius;

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
 * Joins a Netty channel to the server: datagrams in, responses out. What has arrived is dealt with in one go, and
 * responses are flushed together, so that one system call carries many of either.
 *
 * <p>All of it runs on the channel's event loop, but {@link #answerSoon}.
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

    DatagramHandler(RadiusOptions options, RequestQueue queue, RadiusCounters counters) {
        this.server = new AccountingServer(options, queue, counters, this, System::nanoTime);
        this.queue = queue;
        this.counters = counters;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        sender = new DatagramSender(added);
        context = added;
    }

    /** Reactor Netty reads only what a subscriber asks for, and there is none; it says so when it sees this event. */
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.fireChannelActive();
        ctx.channel().config().setAutoRead(true);
    }

    /** Has the requests that are stored by now answered by the event loop; any thread may call. */
    void answerSoon() {
        context().executor().execute(answerTask);
    }

    /** Answers the requests that are stored by now and returns once that is done; not for the event loop's thread. */
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

    /** A send that failed, too; the socket goes on, and answers that were lost are asked for again. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        counters.failed.add(1);
        sender().sendApart();
        LOG.debug("a datagram could not be read or sent", cause);
    }

    /** A flush may make the channel writable and so call this again, from inside. */
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
    public void send(byte[] octets, int length, InetSocketAddress to) {
        sender().send(octets, length, to);
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(context);
    }

    private DatagramSender sender() {
        return Objects.requireNonNull(sender);
    }
}
