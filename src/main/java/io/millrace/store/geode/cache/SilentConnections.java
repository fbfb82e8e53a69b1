package io.millrace.store.geode.cache;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The connections to a port that have sent nothing yet, oldest first. There may be only so many of one address, and in
 * all: each further one ends the oldest one. So connections that never send anything can't keep out others, however
 * many there are, because a client sends its first byte as soon as it is connected. Thread-safe.
 */
final class SilentConnections {

    private final int limit;
    private final int limitOfAddress;
    /** Addresses by socket, oldest first. */
    private final Map<Socket, InetAddress> sockets = new LinkedHashMap<>();

    /**
     * @param limit maximum number of connections
     * @param limitOfAddress maximum number of connections of one address
     */
    SilentConnections(int limit, int limitOfAddress) {
        this.limit = limit;
        this.limitOfAddress = limitOfAddress;
    }

    /** Adds a connection, and ends the oldest one of its address or of all if there are too many. */
    void add(Socket accepted) {
        // Sockets are not used under the lock: threads that hold one of them call remove.
        for (Socket older : tooMany(accepted)) {
            if (isSilent(older) && remove(older)) {
                close(older);
                return;
            }
        }
    }

    /** Adds a connection, and returns those of which one has to end, oldest first; empty if none has to. */
    private synchronized List<Socket> tooMany(Socket accepted) {
        InetAddress address = accepted.getInetAddress();
        List<Socket> all = List.copyOf(sockets.keySet());
        List<Socket> ofAddress = all.stream()
                .filter(socket -> address.equals(sockets.get(socket)))
                .toList();
        sockets.put(accepted, address);
        if (all.size() >= limit) {
            return all;
        }
        return ofAddress.size() >= limitOfAddress ? ofAddress : List.of();
    }

    private static boolean isSilent(Socket socket) {
        try {
            return socket.getInputStream().available() == 0;
        } catch (IOException e) {
            return true; // it has ended
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it has ended already
        }
    }

    /** Removes a connection that has sent something, or has ended. Returns whether it was there. */
    synchronized boolean remove(Socket socket) {
        return sockets.remove(socket) != null;
    }
}
