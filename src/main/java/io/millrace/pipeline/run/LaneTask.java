package io.millrace.pipeline.run;

import io.millrace.pipeline.run.PartitionLoop.Turn;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A partition as lanes turn it: it belongs to one lane at a time, and moves between two turns only, so that a turn sees
 * everything that the one before has written. Thread-safe.
 */
public final class LaneTask {

    private final Function<Duration, Turn> turner;
    private final AtomicBoolean acquired = new AtomicBoolean();
    private volatile @Nullable Lane lane;
    private volatile boolean working;
    private volatile boolean ended;

    /** @param turner does one turn, which may wait for so long if there is nothing to do */
    public LaneTask(Function<Duration, Turn> turner) {
        this.turner = turner;
    }

    /** Assigns it to a lane, before any lane has started. */
    public void assign(Lane first) {
        lane = first;
    }

    Lane lane() {
        return Objects.requireNonNull(lane);
    }

    boolean isOf(Lane other) {
        return Objects.equals(lane, other);
    }

    /**
     * Does a turn on the calling thread, unless it belongs to another lane or is just being moved. Then returns null.
     */
    @Nullable
    Turn turn(Lane by, Duration maxWait) {
        if (!isOf(by) || !acquired.compareAndSet(false, true)) {
            return null;
        }
        try {
            if (!isOf(by)) {
                return null;
            }
            Turn turn = turner.apply(maxWait);
            working = turn == Turn.WORKED;
            ended = turn == Turn.ENDED;
            return turn;
        } finally {
            acquired.set(false);
        }
    }

    /** Moves it to another lane. Returns false if it is just being turned, or does not belong to the first. */
    boolean move(Lane from, Lane to) {
        if (!acquired.compareAndSet(false, true)) {
            return false;
        }
        try {
            boolean moves = isOf(from);
            if (moves) {
                lane = to;
            }
            return moves;
        } finally {
            acquired.set(false);
        }
    }

    /** Returns whether the last turn had something to do, or a turn is going on. */
    public boolean busy() {
        return working || acquired.get();
    }

    /** Returns whether no turn follows. */
    boolean ended() {
        return ended;
    }
}
