package io.millrace;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for processes that are told which one to listen on. They are below the range of ports that systems give to
 * connections and Geode to members: one of those could be taken before the process listens.
 */
public final class FreePort {

    private static final int FIRST = 20_000;
    private static final int END = 32_000;

    private FreePort() {}

    /** Returns a port of TCP and UDP that is free now. */
    public static int next() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                    DatagramSocket _ =
                            new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
                return port;
            } catch (IOException e) {
                // in use
            }
        }
    }
}
