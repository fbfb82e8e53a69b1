package io.millrace.feed.radius;

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
 * A RADIUS client that sends accounting requests as fast as they are answered, or at a given rate, over several sockets
 * by one thread. What is not answered within a second is sent again, as it was.
 */
public final class LoadClient {

    private static final int READ_AT_ONCE = 64;
    private static final int SMALL = 64;

    private final Plan plan;

    /**
     * What to send.
     *
     * @param server where to
     * @param secret shared with it
     * @param requests as many as are sent, from a thread that is not the caller's
     * @param sockets how many
     * @param window the most requests of a socket that wait for an answer, 256 at the most
     * @param count how many requests in all
     * @param rate how many a second, 0 for as many as are answered
     * @param seconds when to stop sending though not all are sent
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
     * What came of it.
     *
     * @param sent distinct requests
     * @param answered of these, those whose right answer came
     * @param again requests sent again
     * @param wrong answers that were none: of a wrong authenticator, or to no request
     * @param nanos from the first request to the last answer
     * @param latency of the answers, from the first time that the request was sent
     */
    public record Result(long sent, long answered, long again, long wrong, long nanos, LatencyHistogram latency) {

        /** Answers a second. */
        public double perSecond() {
            return answered * 1e9 / Math.max(1, nanos);
        }
    }

    public LoadClient(Plan plan) {
        this.plan = plan;
    }

    /**
     * Sends, and returns when all is answered, or when neither an answer has come nor a new request been sent for five
     * seconds while some are unanswered.
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
