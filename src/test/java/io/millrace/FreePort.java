package io.millrace;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for processes that listen on a given port. They are below the ranges from which systems choose ports of
 * connections, and Geode those of members: a port of those ranges could be taken before the process listens.
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
