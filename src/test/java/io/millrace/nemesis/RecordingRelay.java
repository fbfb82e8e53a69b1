package io.millrace.nemesis;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A port that relays each connection to another one, and records the first bytes of its client. Thread-safe. */
public final class RecordingRelay implements AutoCloseable {

    private static final int MAX_BYTES = 4 << 10;

    private final int target;
    private final ServerSocket port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<ByteArrayOutputStream> recorded = new CopyOnWriteArrayList<>();

    /** @param target port of this machine */
    public RecordingRelay(int target) throws IOException {
        this.target = target;
        Thread.ofVirtual().name("relay").start(this::accept);
    }

    public int port() {
        return port.getLocalPort();
    }

    /** Returns what the clients have sent so far, of each connection. */
    public List<byte[]> recorded() {
        return recorded.stream()
                .map(ByteArrayOutputStream::toByteArray)
                .filter(bytes -> bytes.length > 0)
                .toList();
    }

    private void accept() {
        while (!port.isClosed()) {
            try {
                Socket client = port.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                recorded.add(bytes);
                Thread.ofVirtual().start(() -> copy(client, server, bytes));
                Thread.ofVirtual().start(() -> copy(server, client, null));
            } catch (IOException e) {
                // closed, or the other side is not there yet: the client tries again
            }
        }
    }

    private static void copy(Socket source, Socket target, @Nullable ByteArrayOutputStream copy) {
        byte[] buffer = new byte[8 << 10];
        try (source;
                target;
                InputStream in = source.getInputStream();
                OutputStream out = target.getOutputStream()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (copy != null && copy.size() < MAX_BYTES) {
                    copy.write(buffer, 0, count);
                }
                out.write(buffer, 0, count);
            }
        } catch (IOException e) {
            // one of both has ended
        }
    }

    @Override
    public void close() throws IOException {
        port.close();
    }
}
