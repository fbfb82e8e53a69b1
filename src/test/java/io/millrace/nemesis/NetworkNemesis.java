package io.millrace.nemesis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Nemeses of networks: of all connections of a process, and a TCP proxy in front of a port of this machine that
 * disturbs the connections through it.
 *
 * <p>Each fault of the proxy has a switch; {@link #heal} turns all of them off. They apply to the connections that
 * exist and to later ones, unless they were set for one connection. A fault of one direction leaves the other as it is:
 *
 * <ul>
 *   <li>delay: bytes arrive later
 *   <li>hold: bytes arrive once the fault ends, however long that takes, and whether or not the sender still exists
 *   <li>drop: bytes, and the end of the connection, do not arrive. In both directions, a connection is half-open: each
 *       side believes that the other one exists
 *   <li>reset: connections end, and new ones end at once
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class NetworkNemesis implements AutoCloseable {

    private static final int BACKLOG = 1000;
    private static final Duration DELAY = Duration.ofMillis(200);
    private static final int MAX_IDLE_PAUSE_MILLIS = 2000;

    /** More than a server admits. */
    private static final int IDLE_CONNECTIONS = 150;

    private final int target;
    private final ServerSocket listener;
    private final List<ProxiedConnection> connections = new CopyOnWriteArrayList<>();
    private final List<HeldRequest> waiting = new CopyOnWriteArrayList<>();
    private final Set<Direction> held = EnumSet.noneOf(Direction.class);
    private final Set<Direction> dropped = EnumSet.noneOf(Direction.class);
    private Duration delay = Duration.ZERO;
    private boolean reset;

    /** Which bytes of a connection. */
    public enum Direction {
        TO_SERVER,
        TO_CLIENT
    }

    /** Lets a process hear all others, and none hear it: it believes that all is well, and they that it has failed. */
    public static Nemesis mute(String process, SystemFaults faults) {
        return between("mute " + process, faults, SystemFaults.Network.NOTHING_OUT);
    }

    /** Lets all others hear a process, and it none of them. */
    public static Nemesis deaf(String process, SystemFaults faults) {
        return between("deaf " + process, faults, SystemFaults.Network.NOTHING_IN);
    }

    private static Nemesis between(String name, SystemFaults faults, SystemFaults.Network fault) {
        return Nemesis.of(name, () -> faults.setNetwork(fault), () -> faults.setNetwork(SystemFaults.Network.INTACT));
    }

    /** Delays each portion of bytes that a process sends or receives. */
    public static Nemesis slow(String process, SystemFaults faults, Duration delay) {
        return Nemesis.of(
                "slow network of " + process,
                () -> faults.setNetworkDelay(delay),
                () -> faults.setNetworkDelay(Duration.ZERO));
    }

    /** Opens connections to a port of a process that send nothing, and more of them when the process ends those. */
    public static Nemesis idle(String process, int port) {
        List<IdleConnections> opened = new ArrayList<>();
        Nemesis opening = Nemesis.repeated("idle connections to " + process, MAX_IDLE_PAUSE_MILLIS, port, () -> {
            try {
                opened.add(new IdleConnections(port, IDLE_CONNECTIONS, new byte[0]));
            } catch (SocketException e) {
                // another nemesis has made it leave the cluster, or it resets new connections
            }
        });
        return Nemesis.of(opening.toString(), opening::start, () -> {
            opening.stop();
            for (IdleConnections connections : opened) {
                connections.close();
            }
            opened.clear();
        });
    }

    /** Returns the faults of all connections through this proxy. */
    public Nemesis[] nemeses(String name) {
        return new Nemesis[] {
            nemesis("delayed " + name, () -> delay(DELAY)),
            nemesis("requests held of " + name, () -> hold(Direction.TO_SERVER)),
            nemesis("answers held of " + name, () -> hold(Direction.TO_CLIENT)),
            nemesis("requests lost of " + name, () -> drop(Direction.TO_SERVER)),
            nemesis("answers lost of " + name, () -> drop(Direction.TO_CLIENT)),
            nemesis("half-open " + name, () -> drop(Direction.values())),
            nemesis("reset " + name, this::reset)
        };
    }

    private Nemesis nemesis(String name, Nemesis.Action start) {
        return Nemesis.of(name, start, this::heal);
    }

    /** Starts a proxy of a port on the loopback address. */
    public NetworkNemesis(int target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("nemesis-accept-" + target).start(this::accept);
    }

    /** Returns the port to connect to instead. */
    public int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                open(listener.accept());
            } catch (IOException e) {
                // closed, or the target does not listen: then the client's connection ends
            }
        }
    }

    private void open(Socket client) throws IOException {
        if (isReset()) {
            client.close();
            return;
        }
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            ProxiedConnection connection = new ProxiedConnection(client, server, waiting);
            synchronized (this) {
                held.forEach(connection::hold);
                dropped.forEach(connection::drop);
                connection.delay(delay);
                connections.add(connection);
            }
            connection.start();
        } catch (IOException e) {
            client.close();
            throw e;
        }
    }

    private synchronized boolean isReset() {
        return reset;
    }

    /** Returns the connections so far, oldest first, including those that have ended. */
    public List<ProxiedConnection> connections() {
        return List.copyOf(connections);
    }

    /** Lets bytes of both directions arrive later. */
    public synchronized void delay(Duration duration) {
        delay = duration;
        connections.forEach(connection -> connection.delay(duration));
    }

    /** Holds bytes back. */
    public synchronized void hold(Direction... directions) {
        held.addAll(Arrays.asList(directions));
        connections.forEach(connection -> held.forEach(connection::hold));
    }

    /** Drops bytes and ends of connections. */
    public synchronized void drop(Direction... directions) {
        dropped.addAll(Arrays.asList(directions));
        connections.forEach(connection -> dropped.forEach(connection::drop));
    }

    /** Ends all connections, and each new one. */
    public synchronized void reset() {
        reset = true;
        connections.forEach(ProxiedConnection::reset);
    }

    /**
     * Holds a request back, and all that follows on its connection, until it is released. Other connections are not
     * affected, so its sender can retry it. The request may be held by several proxies: by the one that sees it first.
     */
    public void hold(HeldRequest request) {
        waiting.add(request);
    }

    /**
     * Turns all faults off, and releases what is held. A connection that lost bytes is reset, because its sides no
     * longer agree on what was sent.
     */
    public synchronized void heal() {
        held.clear();
        dropped.clear();
        delay = Duration.ZERO;
        reset = false;
        waiting.clear();
        connections.forEach(ProxiedConnection::heal);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        connections.forEach(ProxiedConnection::reset);
    }
}
