package io.millrace.feed.radius.load;

import io.millrace.feed.radius.packet.Secret;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A RADIUS client that sends accounting requests over several sockets on one thread, as fast as they are answered or at
 * a fixed rate. Retransmits a request unchanged if no response arrives within a second.
 */
public final class LoadClient {

    private static final int READ_AT_ONCE = 64;
    private static final int SMALL = 64;

    private final Plan plan;

    /**
     * The requests to send and how to send them.
     *
     * @param server address of the server
     * @param secret shared with the server
     * @param requests supplies the requests, on the client's thread
     * @param sockets number of sockets
     * @param window maximum number of outstanding requests per socket, at most 256
     * @param count total number of requests
     * @param rate requests per second, 0 to send as fast as responses arrive
     * @param seconds time limit for sending
     */
    public record Plan(
            InetSocketAddress server,
            Secret secret,
            RequestSource requests,
            int sockets,
            int window,
            long count,
            long rate,
            int seconds) {}

    /**
     * The result of a run.
     *
     * @param sent distinct requests sent
     * @param answered requests that received a valid response
     * @param again retransmissions
     * @param wrong invalid responses: wrong authenticator, or no matching request
     * @param nanos from the first request to the last response
     * @param latency of the responses, from the first transmission of the request
     */
    public record Result(long sent, long answered, long again, long wrong, long nanos, LatencyHistogram latency) {

        /** Returns the number of responses per second. */
        public double perSecond() {
            return answered * 1e9 / Math.max(1, nanos);
        }
    }

    public LoadClient(Plan plan) {
        this.plan = plan;
    }

    /**
     * Sends the requests. Returns when all are answered, or when requests are outstanding and for five seconds no
     * response has arrived and no new request has been sent.
     */
    public Result run() throws InterruptedException {
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
                1, Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        try {
            LoadPacer pacer = new LoadPacer(plan);
            List<LoadSocket> sockets = new ArrayList<>();
            for (int i = 0; i < plan.sockets(); i++) {
                LoadSocket socket = new LoadSocket(plan, pacer);
                connect(loop, socket);
                sockets.add(socket);
            }
            Future<?> ticks = loop.scheduleAtFixedRate(() -> pacer.tick(sockets), 0, 1, TimeUnit.MILLISECONDS);
            pacer.awaitEnd();
            ticks.cancel(false);
            return loop.submit(pacer::result).sync().getNow();
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }

    private void connect(EventLoopGroup loop, LoadSocket socket) throws InterruptedException {
        boolean epoll = Epoll.isAvailable();
        new Bootstrap()
                .group(loop)
                .channel(epoll ? EpollDatagramChannel.class : NioDatagramChannel.class)
                .option(ChannelOption.SO_RCVBUF, 1 << 20)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (channel instanceof EpollDatagramChannel datagrams) {
                            datagrams.config().setMaxDatagramPayloadSize(SMALL);
                        }
                        channel.config()
                                .setRecvByteBufAllocator(
                                        new FixedRecvByteBufAllocator(epoll ? READ_AT_ONCE * SMALL : SMALL)
                                                .maxMessagesPerRead(4 * READ_AT_ONCE));
                        channel.pipeline().addLast(socket);
                    }
                })
                .connect(plan.server())
                .sync();
    }
}
