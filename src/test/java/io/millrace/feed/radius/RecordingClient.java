package io.millrace.feed.radius;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A RADIUS client that knows which of its requests were answered. It keeps 256 distinct ones waiting, sends each again,
 * as it was, until it is answered, and never minds whether the server is there. Requests are numbered from 0 on, and
 * signed by other means than the server's; the name of a session is the number of its request, counted from a first
 * one. Any thread may ask; one of its own does the work.
 */
public final class RecordingClient implements AutoCloseable {

    /** How many requests wait for their answers at a time. */
    public static final int WINDOW = 256;

    /** What the server must know this client by. */
    public static final String SECRET = Packets.SECRET;

    private static final long SEND_AGAIN = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int LOOK_EVERY_MILLIS = 10;
    private static final int SESSION_AT = 28;
    private static final int SESSION_DIGITS = 9;

    private final InetSocketAddress server;
    private final int perSecond;
    private final int firstSession;
    private final long started = System.nanoTime();
    private final DatagramSocket socket;
    private final byte[] @Nullable [] waiting = new byte[WINDOW] @Nullable [];
    private final int[] numbers = new int[WINDOW];
    private final long[] lastSent = new long[WINDOW];
    private final BitSet answered = new BitSet();
    private final DatagramPacket answer = new DatagramPacket(new byte[4096], 4096);
    private final CompletableFuture<@Nullable Void> end;
    private final AtomicInteger sent = new AtomicInteger();
    private volatile boolean open = true;
    private boolean sends = true;

    /** Begins to send to this port of loopback, as fast as it is answered. */
    public RecordingClient(int port) throws IOException {
        this(port, Integer.MAX_VALUE, 0);
    }

    /**
     * Begins to send to a port of loopback.
     *
     * @param perSecond the most distinct requests in a second
     * @param firstSession name of the first request's session, so that those of several clients differ
     */
    public RecordingClient(int port, int perSecond, int firstSession) throws IOException {
        this.perSecond = perSecond;
        this.firstSession = firstSession;
        server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        socket = new DatagramSocket();
        socket.setSoTimeout(LOOK_EVERY_MILLIS);
        end = CompletableFuture.runAsync(
                this::work,
                task -> Thread.ofPlatform().name("recording-client").daemon().start(task));
    }

    /** A query for the server's state. */
    public static byte[] statusServer(int identifier) {
        byte[] query = Packets.unsigned(12, identifier, Packets.attribute(80, new int[16]));
        System.arraycopy(Packets.hmac(query, SECRET), 0, query, query.length - 16, 16);
        return query;
    }

    /** The number of the request of these octets. */
    public static int number(byte[] octets) {
        int number = 0;
        for (int i = 0; i < SESSION_DIGITS; i++) {
            number = 10 * number + Character.digit(octets[SESSION_AT + i], 10);
        }
        return number;
    }

    private static byte[] request(int identifier, int number) {
        return Packets.start(identifier, String.format(Locale.ROOT, "%09d", number));
    }

    /** How many distinct requests were sent. */
    public int sent() {
        check();
        return sent.get();
    }

    /** The numbers of those that were answered by now. */
    public BitSet answered() {
        check();
        synchronized (answered) {
            return (BitSet) answered.clone();
        }
    }

    /** How many were answered by now. */
    public int answers() {
        check();
        synchronized (answered) {
            return answered.cardinality();
        }
    }

    /** Sends no new requests from now on; those that wait are sent again still. */
    public synchronized void finish() {
        sends = false;
    }

    /** The number of the next request, or -1 where there is to be none. */
    private synchronized int next() {
        boolean early = sent.get() > (System.nanoTime() - started) / 1e9 * perSecond;
        return sends && !early ? sent.getAndIncrement() : -1;
    }

    private void check() {
        if (end.isCompletedExceptionally()) {
            end.join();
        }
    }

    private void work() {
        try {
            long looked = System.nanoTime() - SEND_AGAIN;
            while (open) {
                long now = System.nanoTime();
                if (now - looked >= TimeUnit.MILLISECONDS.toNanos(LOOK_EVERY_MILLIS)) {
                    looked = now;
                    for (int identifier = 0; identifier < WINDOW; identifier++) {
                        send(identifier, now);
                    }
                }
                receive();
            }
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    /** Sends what this identifier is used for, if it is due, or something new. */
    private void send(int identifier, long now) throws IOException {
        byte[] request = waiting[identifier];
        if (request == null) {
            int number = next();
            if (number < 0) {
                return;
            }
            request = request(identifier, firstSession + number);
            waiting[identifier] = request;
            numbers[identifier] = number;
        } else if (now - lastSent[identifier] < SEND_AGAIN) {
            return;
        }
        lastSent[identifier] = now;
        socket.send(new DatagramPacket(request, request.length, server));
    }

    private void receive() throws IOException {
        try {
            answer.setLength(answer.getData().length);
            socket.receive(answer);
        } catch (SocketTimeoutException e) {
            return;
        }
        int identifier = answer.getData()[1] & 0xFF;
        byte[] request = waiting[identifier];
        // One that was sent twice can be answered twice: the second answer does not fit the identifier's next request.
        if (request != null && isRight(request)) {
            synchronized (answered) {
                answered.set(numbers[identifier]);
            }
            waiting[identifier] = null;
            send(identifier, System.nanoTime());
        }
    }

    private boolean isRight(byte[] request) {
        byte[] expected = Packets.response(request, SECRET);
        return Arrays.equals(answer.getData(), 0, answer.getLength(), expected, 0, expected.length);
    }

    @Override
    public void close() {
        open = false;
        end.join();
        socket.close();
    }
}
