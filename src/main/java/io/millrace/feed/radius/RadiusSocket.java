package io.millrace.feed.radius;

import io.millrace.feed.radius.packet.RadiusPacket;
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
 * A UDP socket with the one thread that serves it, based on Reactor Netty: native epoll where available, else the JDK's
 * selector. With epoll, one system call reads or writes many datagrams.
 */
final class RadiusSocket implements AutoCloseable {

    private static final Duration BIND_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    /** Maximum number of datagrams per read. */
    private static final int READ_AT_ONCE = 64;

    /** Number of consecutive reads before other tasks of the thread, such as sending responses, run. */
    private static final int READS_IN_A_ROW = 4;

    /**
     * Octets of unsent responses, as counted by Netty: below the low mark the channel accepts responses again, above
     * the high mark it accepts none.
     */
    private static final WriteBufferWaterMark PENDING = new WriteBufferWaterMark(256 << 10, 1 << 20);

    private final LoopResources loops;
    private final Connection connection;

    private RadiusSocket(LoopResources loops, Connection connection) {
        this.loops = loops;
        this.connection = connection;
    }

    /**
     * Binds a socket. The handler receives the datagrams from then on.
     *
     * @throws IOException if the address cannot be bound
     */
    static RadiusSocket bind(RadiusSettings definition, DatagramHandler handler) throws IOException {
        LoopResources loops = LoopResources.create("radius", 1, true);
        try {
            Connection connection = UdpServer.create()
                    .runOn(loops)
                    .host(definition.address())
                    .port(definition.port())
                    .option(ChannelOption.SO_RCVBUF, definition.receiveBuffer())
                    .option(ChannelOption.WRITE_BUFFER_WATER_MARK, PENDING)
                    .doOnChannelInit((observer, channel, remote) -> prepare(channel, handler))
                    .bindNow(BIND_TIMEOUT);
            return new RadiusSocket(loops, connection);
        } catch (RuntimeException e) {
            loops.disposeLater(Duration.ZERO, CLOSE_TIMEOUT).block(CLOSE_TIMEOUT);
            // Reactor Netty does not pass on the error of the operating system.
            throw new IOException(
                    "Unable to listen on " + definition.address() + ":" + definition.port() + ": " + e.getMessage()
                            + ". Use an address of this machine, and a port that is free and permitted.",
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
        // Before the handler of Reactor Netty, which would turn the datagrams into a stream.
        channel.pipeline().addFirst("millrace.radius", handler);
    }

    /** Returns the bound address and port. */
    InetSocketAddress address() {
        return (InetSocketAddress) connection.channel().localAddress();
    }

    /** Returns whether the socket still receives datagrams. */
    boolean isOpen() {
        return connection.channel().isActive();
    }

    @Override
    public void close() {
        connection.disposeNow(CLOSE_TIMEOUT);
        loops.disposeLater(Duration.ZERO, CLOSE_TIMEOUT).block(CLOSE_TIMEOUT);
    }
}
