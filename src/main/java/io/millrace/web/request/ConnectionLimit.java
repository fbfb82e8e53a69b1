package io.millrace.web.request;

import io.millrace.feed.SourceNetwork;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import reactor.netty.http.server.HttpServer;

/**
 * Limits the open connections: in total, because each may hold memory for the beginning of a request, and to three
 * quarters of them for each {@linkplain SourceNetwork network}, so that one does not keep out the others. Further
 * connections are closed at once. Thread-safe.
 */
public final class ConnectionLimit implements NettyServerCustomizer {

    private final int maxConnections;
    private final int maxPerNetwork;
    private final Map<SourceNetwork, Integer> open = new HashMap<>();
    private int total;

    /** @param maxConnections at least 1 */
    public ConnectionLimit(int maxConnections) {
        this.maxConnections = maxConnections;
        this.maxPerNetwork = Math.max(1, (int) (maxConnections * 3L / 4));
    }

    @Override
    public HttpServer apply(HttpServer server) {
        return server.doOnChannelInit((_, channel, _) -> {
            SourceNetwork network = network(channel.remoteAddress());
            if (network == null) {
                return;
            }
            if (admit(network)) {
                channel.closeFuture().addListener(_ -> release(network));
            } else {
                close(channel);
            }
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing can be done if it can't be closed
    private static void close(Channel channel) {
        channel.close();
    }

    private static @Nullable SourceNetwork network(@Nullable SocketAddress address) {
        return address instanceof InetSocketAddress internet && internet.getAddress() != null
                ? SourceNetwork.of(internet.getAddress())
                : null;
    }

    private synchronized boolean admit(SourceNetwork network) {
        int ofNetwork = open.getOrDefault(network, 0);
        if (total >= maxConnections || ofNetwork >= maxPerNetwork) {
            return false;
        }
        open.put(network, ofNetwork + 1);
        total++;
        return true;
    }

    private synchronized void release(SourceNetwork network) {
        open.computeIfPresent(network, (_, count) -> count == 1 ? null : count - 1);
        total--;
    }
}
