package io.millrace.feed.tcp;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** The other side of a connection, made to a text only where something is to be said of it. */
record Peer(@Nullable SocketAddress address) {

    @Override
    public String toString() {
        if (address instanceof InetSocketAddress internet && internet.getAddress() != null) {
            String host = internet.getAddress().getHostAddress();
            return (host.contains(":") ? "[" + host + "]" : host) + ":" + internet.getPort();
        }
        return String.valueOf(address);
    }
}
