package io.millrace;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for processes that listen on a given port. They are below the ranges from which systems choose ports of
 * connections, and Geode those of members: a port of those ranges could be taken before the process listens. Test JVMs
 * that run at the same time have ranges of their own, the JVMs that they start share one, and none returns a port again
 * before it has returned all others of its range.
 */
public final class FreePort {

    private static final int FIRST = 20_000;
    private static final int RANGE = 3_000;
    private static final int RANGES = 4;

    private static final int RANGE_START = FIRST + Integer.getInteger("millrace.fork", RANGES) % RANGES * RANGE;
    private static final AtomicInteger CALLS =
            new AtomicInteger((int) (ProcessHandle.current().pid() * 31 % RANGE));

    private FreePort() {}

    /** Returns a port of TCP and UDP that is free now. */
    public static int next() {
        while (true) {
            int port = RANGE_START + Math.floorMod(CALLS.getAndIncrement(), RANGE);
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
