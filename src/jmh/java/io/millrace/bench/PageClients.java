package io.millrace.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Clients of streams, each a plain socket. */
final class PageClients implements AutoCloseable {

    private static final int RECEIVE_BUFFER_BYTES = 4096;

    private final int port;
    private final List<Socket> sockets = new ArrayList<>();

    /** @param port of the service */
    PageClients(int port) {
        this.port = port;
    }

    /** Reads a stream until it is closed. */
    void read(String path) throws IOException {
        Socket socket = connect(path, 0);
        Thread.ofVirtual().start(() -> {
            byte[] buffer = new byte[1 << 14];
            try {
                while (socket.getInputStream().read(buffer) >= 0) {
                    // what is told is of no interest
                }
            } catch (IOException _) {
                // closed
            }
        });
    }

    /** Listens so many times, and reads nothing but the beginning of each answer. */
    void listenWithoutReading(String path, int clients) throws IOException {
        for (int i = 0; i < clients; i++) {
            connect(path, RECEIVE_BUFFER_BYTES);
        }
        for (Socket socket : sockets) {
            if (socket.getInputStream().read() != 'H') {
                throw new IOException("the service does not answer");
            }
        }
    }

    private Socket connect(String path, int receiveBuffer) throws IOException {
        Socket socket = new Socket();
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        sockets.add(socket);
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: here\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
