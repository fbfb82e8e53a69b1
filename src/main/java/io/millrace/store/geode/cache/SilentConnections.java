package io.millrace.store.geode.cache;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections to a port that have sent nothing yet, oldest first. There may be only so many of one address, and in
 * all: each further one ends the oldest one. So connections that never send anything can't keep out others, however
 * many there are, because a client sends its first byte as soon as it is connected. Thread-safe.
 */
final class SilentConnections {

    private final int limit;
    private final int limitOfAddress;
    private final Set<Socket> sockets = new LinkedHashSet<>();

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
        InetAddress address = accepted.getInetAddress();
        Socket tooOld;
        synchronized (this) {
            tooOld = sockets.size() >= limit
                    ? removeOldest(null)
                    : count(address) >= limitOfAddress ? removeOldest(address) : null;
            sockets.add(accepted);
        }
        if (tooOld != null) {
            close(tooOld);
        }
    }

    private long count(InetAddress address) {
        return sockets.stream()
                .filter(socket -> address.equals(socket.getInetAddress()))
                .count();
    }

    /** Removes the oldest connection, of an address if not null, except those whose first byte has arrived. */
    private @Nullable Socket removeOldest(@Nullable InetAddress address) {
        for (Iterator<Socket> all = sockets.iterator(); all.hasNext(); ) {
            Socket socket = all.next();
            if ((address == null || Objects.equals(address, socket.getInetAddress())) && isSilent(socket)) {
                all.remove();
                return socket;
            }
        }
        return null;
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

    /** Removes a connection that has sent something, or has ended. */
    synchronized void remove(Socket socket) {
        sockets.remove(socket);
    }
}
