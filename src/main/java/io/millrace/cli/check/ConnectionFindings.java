package io.millrace.cli.check;

import io.millrace.extension.ConnectionCheck;
import java.io.Closeable;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** What was found where one feed or output reads or writes. Other threads than the one that reports can read it. */
final class ConnectionFindings implements ConnectionCheck, Closeable {

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private volatile boolean failed;
    private volatile @Nullable Closeable openPort;

    @Override
    public void ok(String detail) {
        lines.add(detail.isEmpty() ? "ok" : "ok, " + detail);
    }

    @Override
    public void nothing() {
        lines.add("nothing to connect to");
    }

    @Override
    public void warning(String detail) {
        lines.add("warning: " + detail);
    }

    @Override
    public void failed(String detail) {
        failed = true;
        lines.add("failed: " + detail);
    }

    @Override
    public void tcpPort(@Nullable String host, int port) {
        open(host, port, address -> {
            ServerSocket socket = new ServerSocket();
            openPort = socket;
            socket.bind(address);
        });
    }

    @Override
    public void udpPort(@Nullable String host, int port) {
        open(host, port, address -> openPort = new DatagramSocket(address));
    }

    /** Opens a port. */
    private interface Opening {
        void open(InetSocketAddress address) throws IOException;
    }

    private void open(@Nullable String host, int port, Opening opening) {
        try {
            opening.open(
                    host == null
                            ? new InetSocketAddress(port)
                            : new InetSocketAddress(InetAddress.getByName(host), port));
            ok(port == 0 ? "any free port" : "port " + port + " is free");
        } catch (IOException e) {
            failed("Unable to listen on " + (host == null ? "*" : host) + ":" + port + ": " + e.getMessage()
                    + ". Use an address of this machine, and a port that is free.");
        }
    }

    /** Returns a text for each finding, in their order. */
    List<String> lines() {
        return lines.isEmpty() ? List.of("not checked") : List.copyOf(lines);
    }

    /** Returns whether something was found that prevents records from being read or written. */
    boolean hasFailed() {
        return failed;
    }

    /** Closes the port that was opened, if any. */
    @Override
    public void close() throws IOException {
        Closeable open = openPort;
        if (open != null) {
            open.close();
        }
    }
}
