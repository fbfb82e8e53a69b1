package io.millrace.nemesis;

import io.millrace.nemesis.NetworkNemesis.Direction;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A connection through a {@link NetworkNemesis}, with faults of its own. Thread-safe. */
public final class ProxiedConnection {

    private static final int BUFFER_BYTES = 64 << 10;

    private final Socket client;
    private final Socket server;
    private final List<HeldRequest> waiting;
    private final Set<Direction> held = EnumSet.noneOf(Direction.class);
    private final Set<Direction> dropped = EnumSet.noneOf(Direction.class);
    private long delayNanos;
    private boolean lossy;
    private long answeredBytes;
    private boolean endedByServer;
    private int openDirections = Direction.values().length;

    /** @param waiting requests to hold back */
    ProxiedConnection(Socket client, Socket server, List<HeldRequest> waiting) {
        this.client = client;
        this.server = server;
        this.waiting = waiting;
    }

    void start() {
        copy(Direction.TO_SERVER, client, server);
        copy(Direction.TO_CLIENT, server, client);
    }

    private void copy(Direction direction, Socket source, Socket sink) {
        Thread.ofPlatform()
                .daemon()
                .name("nemesis-" + direction + "-" + client.getPort())
                .start(() -> copyAll(direction, source, sink));
    }

    private void copyAll(Direction direction, Socket source, Socket sink) {
        byte[] buffer = new byte[BUFFER_BYTES];
        byte[] last = new byte[0];
        while (true) {
            int length = read(source, buffer);
            if (length > 0 && direction == Direction.TO_SERVER) {
                last = watch(last, Arrays.copyOf(buffer, length));
            }
            if (direction == Direction.TO_CLIENT) {
                answered(length);
            }
            boolean passes = pass(direction);
            if (length < 0) {
                end(sink, passes);
                return;
            }
            if (passes) {
                write(sink, buffer, length);
            }
        }
    }

    private static int read(Socket source, byte[] buffer) {
        try {
            return source.getInputStream().read(buffer);
        } catch (IOException e) {
            return -1; // reset
        }
    }

    /** A reader that is gone does not end the connection: what it sent before may still be held. */
    private static void write(Socket sink, byte[] buffer, int length) {
        try {
            sink.getOutputStream().write(buffer, 0, length);
        } catch (IOException e) {
            // its other direction ends too
        }
    }

    /** Looks for requests to hold back, and returns the bytes that the next call needs. */
    private byte[] watch(byte[] last, byte[] bytes) {
        byte[] both = Arrays.copyOf(last, last.length + bytes.length);
        System.arraycopy(bytes, 0, both, last.length, bytes.length);
        int overlap = 0;
        for (HeldRequest request : waiting) {
            request.take(this, both);
            overlap = Math.max(overlap, request.overlap());
        }
        return Arrays.copyOfRange(both, Math.max(0, both.length - overlap), both.length);
    }

    private synchronized void answered(int length) {
        if (length > 0) {
            answeredBytes += length;
        } else {
            endedByServer = true;
        }
        notifyAll();
    }

    /** Waits while the direction is delayed or held, and returns whether what was read is passed on. */
    private synchronized boolean pass(Direction direction) {
        long start = System.nanoTime();
        try {
            for (long left = delayNanos; left > 0; left = start + delayNanos - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
            while (held.contains(direction)) {
                wait();
            }
        } catch (InterruptedException e) {
            return false;
        }
        boolean passes = !dropped.contains(direction);
        lossy |= !passes;
        return passes;
    }

    private void end(Socket sink, boolean passes) {
        if (!passes) {
            return; // the other side never learns of it, until the connection is reset
        }
        try {
            sink.shutdownOutput();
        } catch (IOException e) {
            // it has ended already
        }
        synchronized (this) {
            openDirections--;
            if (openDirections > 0) {
                return;
            }
        }
        reset();
    }

    /** Lets the bytes of both directions arrive later. */
    public synchronized void delay(Duration duration) {
        delayNanos = duration.toNanos();
        notifyAll();
    }

    /** Holds the bytes of a direction back. */
    public synchronized void hold(Direction direction) {
        held.add(direction);
    }

    /** Lets the bytes that were held arrive, and those that follow. */
    public synchronized void release(Direction direction) {
        held.remove(direction);
        notifyAll();
    }

    /** Drops the bytes and the end of a direction. */
    public synchronized void drop(Direction direction) {
        dropped.add(direction);
    }

    /** Ends the connection on both sides. */
    public void reset() {
        try (client;
                server) {
            synchronized (this) {
                held.clear();
                notifyAll();
            }
        } catch (IOException e) {
            // it has ended already
        }
    }

    /** Turns all faults off; resets a connection that lost bytes. */
    void heal() {
        boolean lost;
        synchronized (this) {
            lost = lossy;
            held.clear();
            dropped.clear();
            delayNanos = 0;
            notifyAll();
        }
        if (lost) {
            reset();
        }
    }

    /** Returns how many bytes the server has sent on this connection, whether or not they have arrived. */
    public synchronized long answeredBytes() {
        return answeredBytes;
    }

    /** Returns whether the server has ended the connection. */
    public synchronized boolean endedByServer() {
        return endedByServer;
    }
}
