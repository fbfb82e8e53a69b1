package io.millrace.store.geode.guard;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/** The connections that this process has opened. Thread-safe. */
final class OwnConnections {

    private final Set<Socket> sockets = Collections.newSetFromMap(new WeakHashMap<>());

    /** Adds a connection, and returns it. */
    synchronized Socket add(Socket socket) {
        sockets.add(socket);
        return socket;
    }

    /** Returns whether this process has opened a connection from an address, and has not closed it. */
    synchronized boolean contain(InetSocketAddress client) {
        return sockets.stream().anyMatch(socket -> !socket.isClosed() && client.equals(socket.getLocalSocketAddress()));
    }
}
