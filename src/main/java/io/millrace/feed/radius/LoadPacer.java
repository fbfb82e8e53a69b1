package io.millrace.feed.radius;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** How many requests the sockets of a load client may send by now, and what became of them. One event loop's own. */
final class LoadPacer {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

    private final LoadClient.Plan plan;
    private final CountDownLatch end = new CountDownLatch(1);
    private final LatencyHistogram latency = new LatencyHistogram();
    private final long start = System.nanoTime();
    private final long stopAt;
    private long sent;
    private long answered;
    private long again;
    private long wrong;
    private long lastAnswer = start;
    private long lastSent = start;
    private int turn;

    LoadPacer(LoadClient.Plan plan) {
        this.plan = plan;
        this.stopAt = start + TimeUnit.SECONDS.toNanos(plan.seconds());
    }

    void awaitEnd() throws InterruptedException {
        end.await();
    }

    LoadClient.Result result() {
        return new LoadClient.Result(sent, answered, again, wrong, lastAnswer - start, latency);
    }

    /** Lets each socket send, beginning with another one each time; and looks for the end. */
    void tick(List<LoadSocket> sockets) {
        long now = System.nanoTime();
        turn++;
        for (int i = 0; i < sockets.size(); i++) {
            LoadSocket socket = sockets.get((turn + i) % sockets.size());
            socket.sendAgain(now);
            socket.fill(share(now, sockets.size() - i));
        }
        boolean all = sent == plan.count() || now > stopAt;
        boolean silent = sent > answered && now - Math.max(lastAnswer, lastSent) > PATIENCE;
        if (silent || (all && answered == sent)) {
            end.countDown();
        }
    }

    /** An even share of what may be sent now, where so many sockets are still to come. */
    private int share(long now, int sockets) {
        long due = due(now);
        return (int) Math.min(Integer.MAX_VALUE, (due + sockets - 1) / sockets);
    }

    private long due(long now) {
        if (now > stopAt) {
            return 0;
        }
        long left = plan.count() - sent;
        return plan.rate() == 0 ? left : Math.min(left, (long) ((now - start) / 1e9 * plan.rate()) - sent);
    }

    /** How many requests may follow at once when answers have come. */
    int onAnswer(long now) {
        return plan.rate() == 0 ? (int) Math.min(Integer.MAX_VALUE, due(now)) : 0;
    }

    /** One more request is sent for the first time. */
    void sent(long now) {
        sent++;
        lastSent = now;
    }

    void answered(long nanos, long now) {
        answered++;
        latency.record(nanos);
        lastAnswer = now;
    }

    void again() {
        again++;
    }

    void wrong() {
        wrong++;
    }
}
