package io.millrace.feed.radius;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollDatagramChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import reactor.netty.Connection;
import reactor.netty.resources.LoopResources;
import reactor.netty.udp.UdpServer;

/**
 * A UDP socket and the one thread that serves it, by Reactor Netty: native epoll where there is one, else the JDK's
 * selector. With epoll one system call reads or writes many datagrams.
 */
final class RadiusSocket implements AutoCloseable {

    private static final Duration BIND_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    /** Datagrams of one read, as far as they have arrived. */
    private static final int READ_AT_ONCE = 64;

    /** Reads before others on this thread, such as answers to be sent, get their turn. */
    private static final int READS_IN_A_ROW = 4;

    /** Octets of responses, as Netty counts them, before they are flushed, and above which no more are taken. */
    private static final WriteBufferWaterMark PENDING = new WriteBufferWaterMark(256 << 10, 1 << 20);

    private final LoopResources loops;
    private final Connection connection;

    private RadiusSocket(LoopResources loops, Connection connection) {
        this.loops = loops;
        this.connection = connection;
    }

    /**
     * Binds a socket; from then on datagrams go to the handler.
     *
     * @throws IOException where the address can't be bound
     */
    static RadiusSocket bind(RadiusOptions options, DatagramHandler handler) throws IOException {
        LoopResources loops = LoopResources.create("radius", 1, true);
        try {
            Connection connection = UdpServer.create()
                    .runOn(loops)
                    .host(options.address())
                    .port(options.port())
                    .option(ChannelOption.SO_RCVBUF, options.receiveBuffer())
                    .option(ChannelOption.WRITE_BUFFER_WATER_MARK, PENDING)
                    .doOnChannelInit((observer, channel, remote) -> prepare(channel, handler))
                    .bindNow(BIND_TIMEOUT);
            return new RadiusSocket(loops, connection);
        } catch (RuntimeException e) {
            loops.disposeLater(Duration.ZERO, CLOSE_TIMEOUT).block(CLOSE_TIMEOUT);
            // Reactor Netty keeps what the operating system said to itself.
            throw new IOException(
                    "address=" + options.address() + " port=" + options.port()
                            + " can't be bound: it is taken, or none of this machine's, or not allowed; "
                            + e.getMessage(),
                    e);
        }
    }

    private static void prepare(Channel channel, DatagramHandler handler) {
        int octets = RadiusPacket.LONGEST;
        if (channel instanceof EpollDatagramChannel epoll) {
            epoll.config().setMaxDatagramPayloadSize(RadiusPacket.LONGEST);
            octets = READ_AT_ONCE * RadiusPacket.LONGEST;
        }
        channel.config()
                .setRecvByteBufAllocator(
                        new FixedRecvByteBufAllocator(octets).maxMessagesPerRead(READ_AT_ONCE * READS_IN_A_ROW));
        // Before the handler of Reactor Netty, which would make a stream of them.
        channel.pipeline().addFirst("millrace.radius", handler);
    }

    /** The address and port that it is bound to. */
    InetSocketAddress address() {
        return (InetSocketAddress) connection.channel().localAddress();
    }

    /** Whether datagrams still come. */
    boolean isOpen() {
        return connection.channel().isActive();
    }

    @Override
    public void close() {
        connection.disposeNow(CLOSE_TIMEOUT);
        loops.disposeLater(Duration.ZERO, CLOSE_TIMEOUT).block(CLOSE_TIMEOUT);
    }
}
