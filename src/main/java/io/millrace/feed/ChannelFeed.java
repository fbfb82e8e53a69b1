package io.millrace.feed;

import io.millrace.codec.RecordBatch;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A feed without a source of its own: the pipeline's records arrive as messages on the pipeline's channel. */
public final class ChannelFeed implements Feed {

    private final Semaphore wakes = new Semaphore(0);

    @Override
    public void open(long position) {
        // nothing to open
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) {
        try {
            if (wakes.tryAcquire(maxWait.toNanos(), TimeUnit.NANOSECONDS)) {
                wakes.drainPermits();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Poll.NOTHING_YET;
    }

    @Override
    public boolean wake() {
        wakes.release();
        return true;
    }

    @Override
    public long lag() {
        return 0;
    }

    @Override
    public boolean replayable() {
        return false;
    }

    @Override
    public void close() {
        // nothing to close
    }
}
