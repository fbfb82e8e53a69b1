package io.millrace.store.geode.cache;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The connections to a port that have sent nothing yet, oldest first. There may be only so many of one address, and in
 * all: each further one ends the oldest one. So connections that never send anything can't keep out others, however
 * many there are, because a client sends its first byte as soon as it is connected. Thread-safe.
 */
final class SilentConnections {

    /** How many times as many connections may wait to be served as may be silent. */
    private static final int WAITING = 4;

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

    /**
     * Adds a connection, and ends the oldest silent one of its address or of all if there are too many. If all have
     * sent something, they wait to be served, and only a few times as many may wait: then it ends the added one.
     *
     * @return whether the connection was added
     */
    boolean add(Socket accepted) {
        InetAddress address = accepted.getInetAddress();
        List<Socket> all = new ArrayList<>();
        List<Socket> ofAddress = new ArrayList<>();
        list(address, all, ofAddress);
        if ((all.size() >= limit && endSilent(all)) || (ofAddress.size() >= limitOfAddress && endSilent(ofAddress))) {
            put(accepted, address);
            return true;
        }
        if (all.size() >= WAITING * limit || ofAddress.size() >= WAITING * limitOfAddress) {
            close(accepted);
            return false;
        }
        put(accepted, address);
        return true;
    }

    private synchronized void put(Socket accepted, InetAddress address) {
        sockets.put(accepted, address);
    }

    /** Adds the connections to a list, and those of an address to another one, oldest first. */
    private synchronized void list(InetAddress address, List<Socket> all, List<Socket> ofAddress) {
        sockets.forEach((socket, other) -> {
            all.add(socket);
            if (address.equals(other)) {
                ofAddress.add(socket);
            }
        });
    }

    /**
     * Ends the first connection that is silent, and returns whether there was one. Sockets are not used under the lock:
     * threads that hold one of them call {@link #remove}.
     */
    private boolean endSilent(List<Socket> connections) {
        for (Socket socket : connections) {
            if (isSilent(socket) && remove(socket)) {
                end(socket);
                return true;
            }
        }
        return false;
    }

    private static boolean isSilent(Socket socket) {
        try {
            return socket.getInputStream().available() == 0;
        } catch (IOException e) {
            return true; // it has ended
        }
    }

    /**
     * Ends a connection that Geode may know: it finds the end of the input, and closes the socket. What Geode has for a
     * connection, it would keep for ever if another thread closed the socket.
     */
    private static void end(Socket socket) {
        try {
            socket.shutdownInput();
            socket.shutdownOutput();
        } catch (IOException e) {
            // it has ended already
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
