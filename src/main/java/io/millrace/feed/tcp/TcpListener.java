package io.millrace.feed.tcp;

import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.netty.DisposableServer;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpServer;

/** The open port, with the few threads that serve all its connections. */
final class TcpListener implements AutoCloseable {

    /** More threads than this read faster than one pipeline works. */
    private static final int MOST_THREADS = 4;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final LoopResources loops;
    private final DisposableServer server;

    /**
     * Listens.
     *
     * @throws IOException where the port can't be had
     */
    TcpListener(TcpOptions options, @Nullable SslContext tls, Connections connections) throws IOException {
        int threads = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, MOST_THREADS);
        loops = LoopResources.create("tcp-feed", threads, true);
        TcpServer plain = TcpServer.create()
                .host(options.host())
                .port(options.port())
                // Not epoll's own transport: once a sender has ended it reads to the end, whether told to or not.
                .runOn(loops, false)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .doOnChannelInit((observer, channel, address) -> connections.accept(channel));
        TcpServer wanted = tls == null ? plain : plain.secure(spec -> spec.sslContext(tls));
        try {
            server = wanted.bindNow();
        } catch (RuntimeException e) {
            loops.dispose();
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(
                    "host=" + options.host() + " port=" + options.port() + " can't be listened on: "
                            + cause.getMessage(),
                    e);
        }
    }

    int port() {
        return server.port();
    }

    /** Takes no more connections. */
    void stopAccepting() {
        server.disposeNow(CLOSE_TIMEOUT);
    }

    /** Ends the threads, after what they have to do still. */
    @Override
    public void close() {
        loops.disposeLater(Duration.ZERO, CLOSE_TIMEOUT).block(CLOSE_TIMEOUT.plusSeconds(1));
    }
}
