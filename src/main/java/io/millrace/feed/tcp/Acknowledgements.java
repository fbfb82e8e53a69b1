package io.millrace.feed.tcp;

import java.util.ArrayList;
import java.util.List;

/**
 * Tells senders how many of their records are stored: after so many new ones, and when a sender pauses. The count is
 * cumulative, so where a sender does not read, nothing is sent until it does. The pipeline's thread calls all methods;
 * allocates only the messages.
 */
final class Acknowledgements {

    /** A sender that brought nothing for so long gets an acknowledgement of less than the agreed number too. */
    private static final long QUIET_NS = 10_000_000;

    private final int every;
    private final List<TcpConnection> unsettled = new ArrayList<>();
    private final List<TcpConnection> lagging = new ArrayList<>();

    /** @param every how many records are stored between two acknowledgements, 0 for none */
    Acknowledgements(int every) {
        this.every = every;
    }

    /** Whether senders get acknowledgements at all. */
    boolean wanted() {
        return every > 0;
    }

    /** Records of a connection were taken, or it has brought its last. */
    void took(TcpConnection connection) {
        if (!wanted()) {
            // Nobody says when they are stored; the connection waits for nothing more.
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

    /** All records that were taken are stored. */
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

    /** Tells the senders that have paused. */
    void whereQuiet() {
        if (!lagging.isEmpty()) {
            long now = System.nanoTime();
            lagging.removeIf(connection -> caughtUp(connection, now));
        }
    }

    private boolean caughtUp(TcpConnection connection, long now) {
        boolean quiet = now - connection.count().lastTakenNanos() >= QUIET_NS;
        boolean told = connection.finished()
                || !connection.channel().isActive()
                || connection.count().unacknowledged() == 0
                || acknowledge(connection, quiet);
        if (told) {
            connection.count().caughtUp();
        }
        return told;
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
