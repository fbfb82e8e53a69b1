package io.millrace.feed.radius.load;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Paces the sockets of a load client and counts results. Used on one event loop only. */
final class LoadPacer {

    private static final long SILENCE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final LoadClient.Plan plan;
    private final CountDownLatch end = new CountDownLatch(1);
    private final LatencyHistogram latency = new LatencyHistogram();
    private final long start = System.nanoTime();
    private final long stopAt;
    private long sent;
    private long answered;
    private long again;
    private long wrong;
    private long lastAnswerNanos = start;
    private long lastSentNanos = start;
    private int turn;

    LoadPacer(LoadClient.Plan plan) {
        this.plan = plan;
        this.stopAt = start + TimeUnit.SECONDS.toNanos(plan.seconds());
    }

    void awaitEnd() throws InterruptedException {
        end.await();
    }

    LoadClient.Result result() {
        return new LoadClient.Result(sent, answered, again, wrong, lastAnswerNanos - start, latency);
    }

    /**
     * Sends the due requests of each socket, starting with a different socket each time, and checks whether the run is
     * over.
     */
    void tick(List<LoadSocket> sockets) {
        long now = System.nanoTime();
        turn++;
        for (int i = 0; i < sockets.size(); i++) {
            LoadSocket socket = sockets.get((turn + i) % sockets.size());
            socket.sendAgain(now);
            socket.fill(share(now, sockets.size() - i));
        }
        boolean allSent = sent == plan.count() || now > stopAt;
        boolean silent = sent > answered && now - Math.max(lastAnswerNanos, lastSentNanos) > SILENCE_TIMEOUT_NANOS;
        if (silent || (allSent && answered == sent)) {
            end.countDown();
        }
    }

    /** Returns a socket's even share of the requests due now, given the number of sockets still to serve. */
    private int share(long now, int sockets) {
        long due = due(now);
        return (int) Math.min(Integer.MAX_VALUE, (due + sockets - 1) / sockets);
    }

    private long due(long now) {
        if (now > stopAt) {
            return 0;
        }
        long unsent = plan.count() - sent;
        return plan.rate() == 0 ? unsent : Math.min(unsent, (long) ((now - start) / 1e9 * plan.rate()) - sent);
    }

    /** Returns the number of requests that may be sent at once after responses have arrived. */
    int onAnswer(long now) {
        return plan.rate() == 0 ? (int) Math.min(Integer.MAX_VALUE, due(now)) : 0;
    }

    /** Counts a request sent for the first time. */
    void sent(long now) {
        sent++;
        lastSentNanos = now;
    }

    void answered(long latencyNanos, long now) {
        answered++;
        latency.record(latencyNanos);
        lastAnswerNanos = now;
    }

    void again() {
        again++;
    }

    void wrong() {
        wrong++;
    }
}
