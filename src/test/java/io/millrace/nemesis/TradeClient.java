package io.millrace.nemesis;

import io.millrace.nemesis.history.History;
import io.millrace.pipeline.TradeFile.Trade;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends trades over TCP, one after the other, each as an operation that returns with its acknowledgement. It sends none
 * again: what was sent when the connection broke may be stored or not. Connects again where it has to.
 */
public final class TradeClient implements AutoCloseable {

    /** A pipeline that receives trades: buys are elements of a set, and others write registers. */
    static final String PIPELINE = """
        sent:
          feed: { tcp: { port: 0, framing: fixed, acknowledge: { every: 1 } } }
          schema: trade
          steps:
            - route:
                - { when: buySell == 'Buy', to: added }
                - { otherwise: registers }
        """;

    private static final int TIMEOUT_MILLIS = 20_000;
    private static final int PAUSE_AFTER_FAILURE_MILLIS = 100;

    private final int port;
    private final int pauseMillis;
    private final Supplier<Send> sends;
    private final Thread thread;
    private volatile boolean closed;
    private final AtomicLong acknowledged = new AtomicLong();
    private @Nullable Socket socket;
    private long sent;

    /** A trade to be sent, and the operation in whose history it is. */
    public record Send(Trade trade, Supplier<History.Call> operation) {}

    /**
     * Begins to send.
     *
     * @param pauseMillis between an acknowledgement and the next trade
     */
    public TradeClient(int port, int pauseMillis, Supplier<Send> sends) {
        this.port = port;
        this.pauseMillis = pauseMillis;
        this.sends = sends;
        thread = Thread.ofPlatform().daemon().start(this::run);
    }

    /** Returns a trade whose rate is the value. */
    public static Trade trade(long id, boolean buy, long value) {
        return new Trade(id, 16_000, buy ? 0 : 1, 1, 100_000_000, value, 2, 150_000_000, 16_002);
    }

    private void run() {
        try {
            while (!closed) {
                send(sends.get());
                Thread.sleep(pauseMillis); // the rate of the client
            }
            disconnect();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void send(Send send) throws IOException, InterruptedException {
        Socket open;
        try {
            open = connect();
        } catch (IOException e) {
            Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS); // it is not sent: no operation
            return;
        }
        History.Call call = send.operation().get();
        try {
            open.getOutputStream().write(send.trade().bytes());
            sent++;
            DataInputStream counts = new DataInputStream(open.getInputStream());
            while (counts.readLong() < sent) {
                // the count of an earlier trade
            }
            call.ok();
            acknowledged.incrementAndGet();
        } catch (IOException e) {
            call.unknown();
            disconnect();
        }
    }

    private Socket connect() throws IOException {
        Socket open = socket;
        if (open == null) {
            open = new Socket();
            try {
                open.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
                open.setSoTimeout(TIMEOUT_MILLIS);
            } catch (IOException e) {
                open.close();
                throw e;
            }
            socket = open;
            sent = 0;
        }
        return open;
    }

    private void disconnect() throws IOException {
        Socket open = socket;
        if (open != null) {
            socket = null;
            open.close();
        }
    }

    /** Returns how many trades were acknowledged. */
    public long acknowledged() {
        return acknowledged.get();
    }

    /** Stops sending, and waits for the last acknowledgement. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
