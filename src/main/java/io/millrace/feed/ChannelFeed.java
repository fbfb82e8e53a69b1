package io.millrace.feed;

import io.millrace.codec.RecordBatch;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A feed without a source of its own: the pipeline's records arrive as messages on the pipeline's channel. */
public final class ChannelFeed implements Feed {

    @Override
    public void open(long position) {
        // nothing to open
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) {
        LockSupport.parkNanos(maxWait.toNanos());
        return Poll.NOTHING_YET;
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
