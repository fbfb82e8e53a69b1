package io.millrace.nemesis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Connections to a port that send no more than an opening, and then nothing: they need no credentials, and cost the
 * server whatever it reserves for a connection that has just begun. Thread-safe.
 */
public final class IdleConnections implements AutoCloseable {

    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger ended = new AtomicInteger();

    /**
     * Opens connections.
     *
     * @param count number of connections
     * @param opening bytes that each sends
     */
    public IdleConnections(int port, int count, byte[] opening) throws IOException {
        try {
            for (int i = 0; i < count; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                sockets.add(socket);
                socket.getOutputStream().write(opening);
                Thread.ofVirtual().name("nemesis-idle-" + i).start(() -> awaitEnd(socket));
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private void awaitEnd(Socket socket) {
        try {
            while (socket.getInputStream().read() >= 0) {
                // a refusal
            }
        } catch (IOException e) {
            // ended
        }
        ended.incrementAndGet();
    }

    /** Returns how many of the connections have ended. */
    public int ended() {
        return ended.get();
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
