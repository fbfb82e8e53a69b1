package io.millrace.feed.tcp;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** The remote side of a connection. Formats its address only when the text is needed. */
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
