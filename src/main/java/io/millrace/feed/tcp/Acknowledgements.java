package io.millrace.feed.tcp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Acknowledges stored records to senders: after a fixed number of records, and when a sender pauses. The count is
 * cumulative, so that nothing is sent to a sender that does not read until it reads again. Called by the pipeline
 * thread only; allocates only the messages.
 */
final class Acknowledgements {

    /** Pause of a sender, in nanoseconds, after which fewer records than the fixed number are acknowledged too. */
    private static final long PAUSE_NANOS = 10_000_000;

    private static final Duration PAUSE_CHECK = Duration.ofNanos(PAUSE_NANOS / 2);

    private final int every;
    private final List<TcpConnection> unsettled = new ArrayList<>();
    private final List<TcpConnection> lagging = new ArrayList<>();

    /** @param every number of stored records between two acknowledgements, 0 for none */
    Acknowledgements(int every) {
        this.every = every;
    }

    /** Returns whether acknowledgements are enabled. */
    boolean wanted() {
        return every > 0;
    }

    /** Called after records of a connection were taken, or after the connection delivered its last record. */
    void took(TcpConnection connection) {
        if (!wanted()) {
            // Without acknowledgements the connection need not wait for the store.
            connection.count().store();
            if (connection.finished()) {
                connection.close(CloseReason.ENDED);
            }
        } else if (connection.count().pending()) {
            if (connection.count().unsettle()) {
                unsettled.add(connection);
            }
        } else if (connection.finished()) {
            connection.acknowledgeAndClose();
        }
    }

    /** Called when all taken records are stored. */
    void stored() {
        for (TcpConnection connection : unsettled) {
            connection.count().settle();
            connection.count().store();
            if (connection.finished()) {
                connection.acknowledgeAndClose();
            } else if (!acknowledge(connection, false) && connection.count().lag()) {
                lagging.add(connection);
            }
        }
        unsettled.clear();
        whereQuiet();
    }

    /** Returns how long a poll may wait for records, so that acknowledgements are not late. */
    Duration pollWait(Duration maxWait) {
        return lagging.isEmpty() || maxWait.compareTo(PAUSE_CHECK) < 0 ? maxWait : PAUSE_CHECK;
    }

    /** Sends the pending acknowledgements of senders that have paused. */
    void whereQuiet() {
        if (!lagging.isEmpty()) {
            long now = System.nanoTime();
            lagging.removeIf(connection -> caughtUp(connection, now));
        }
    }

    private boolean caughtUp(TcpConnection connection, long now) {
        boolean paused = now - connection.count().lastTakenNanos() >= PAUSE_NANOS;
        boolean settled = connection.finished()
                || !connection.channel().isActive()
                || connection.count().unacknowledged() == 0
                || acknowledge(connection, paused);
        if (settled) {
            connection.count().caughtUp();
        }
        return settled;
    }

    private boolean acknowledge(TcpConnection connection, boolean anyNumber) {
        boolean due = anyNumber || connection.count().unacknowledged() >= every;
        if (due && connection.channel().isWritable()) {
            connection.acknowledge();
            return true;
        }
        return false;
    }
}
