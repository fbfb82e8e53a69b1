package io.millrace.store.geode.guard;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The connections that this process has opened to a port of its own. Thread-safe.
 *
 * <p>The address of a client does not identify a connection: the operating system gives the number of a client's port
 * again to a connection to another port.
 */
final class OwnConnections {

    private final Set<Socket> sockets = Collections.newSetFromMap(new WeakHashMap<>());

    private int port = -1;

    /** Sets the port, before it accepts connections. */
    synchronized void to(int ownPort) {
        port = ownPort;
    }

    /** Adds a connection, and returns it. */
    synchronized Socket add(Socket socket) {
        sockets.add(socket);
        return socket;
    }

    /** Returns whether this process has opened a connection from an address to the port, and has not closed it. */
    synchronized boolean contain(InetSocketAddress client) {
        return sockets.stream()
                .anyMatch(socket -> !socket.isClosed()
                        && socket.getPort() == port
                        && client.equals(socket.getLocalSocketAddress()));
    }
}
