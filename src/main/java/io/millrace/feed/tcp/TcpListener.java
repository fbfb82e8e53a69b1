package io.millrace.feed.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.netty.DisposableServer;
import reactor.netty.NettyPipeline;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpServer;

/** The open port, with the threads that serve its connections. */
final class TcpListener implements AutoCloseable {

    /** Maximum number of threads: more threads receive faster than one pipeline processes. */
    private static final int MAX_THREADS = 4;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final LoopResources loops;
    private final DisposableServer server;

    /**
     * Opens the port.
     *
     * @param idleTimeout time without a complete record after which a connection is closed
     * @throws IOException if the port cannot be opened
     */
    TcpListener(String host, int port, @Nullable SslContext tls, Duration idleTimeout, Connections connections)
            throws IOException {
        int threads = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, MAX_THREADS);
        loops = LoopResources.create("tcp-feed", threads, true);
        TcpServer plain = TcpServer.create()
                .host(host)
                .port(port)
                // Not the epoll transport: once a sender closes its output, it reads to the end even without auto-read.
                .runOn(loops, false)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .doOnChannelInit((observer, channel, address) -> accept(channel, idleTimeout, connections));
        TcpServer secured = tls == null ? plain : plain.secure(spec -> spec.sslContext(tls));
        try {
            server = secured.bindNow();
        } catch (RuntimeException e) {
            loops.dispose();
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(
                    "Unable to listen on " + host + ":" + port + ": " + cause.getMessage()
                            + ". Use an address of this machine, and a port that is free.",
                    e);
        }
    }

    private static void accept(Channel channel, Duration idleTimeout, Connections connections) {
        TcpConnection connection = connections.accept(channel);
        if (connection != null) {
            channel.pipeline()
                    .addBefore(
                            NettyPipeline.ReactiveBridge,
                            "records",
                            new ConnectionHandler(connection, connections, idleTimeout));
        }
    }

    int port() {
        return server.port();
    }

    /** Stops accepting connections. */
    void stopAccepting() {
        server.disposeNow(CLOSE_TIMEOUT);
    }

    /** Stops the threads after their pending tasks. */
    @Override
    public void close() {
        loops.disposeLater(Duration.ZERO, CLOSE_TIMEOUT).block(CLOSE_TIMEOUT.plusSeconds(1));
    }
}
