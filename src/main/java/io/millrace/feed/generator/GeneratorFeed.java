package io.millrace.feed.generator;

import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedChangedException;
import io.millrace.feed.Player;
import io.millrace.schema.Schema;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Records made up as they are pulled, at a rate that may be changed, or as fast as they are taken. The same seed makes
 * the same records, so the feed is replayable.
 */
public final class GeneratorFeed implements Feed, Player {

    private final BatchMaker maker;
    private final int batchRecords;
    private final String identity;
    private final long count;
    private volatile Play play;
    private long next;
    /** What holds since the last poll that found it changed, when that was, and the record that came next then. */
    private Play current;

    private long currentNanos;
    private long currentAt;

    /**
     * @param schema of the records
     * @param seed equal seeds make equal records
     * @param count how many records to make in all, 0 for no end
     * @param recordsPerSecond how many to make in a second, 0 for as many as are taken
     * @param batchRecords the most records that one poll brings
     * @throws IllegalArgumentException where records of this schema can't be made up
     */
    public GeneratorFeed(Schema schema, long seed, long count, long recordsPerSecond, int batchRecords) {
        this.maker = BatchMaker.of(schema, seed, batchRecords);
        this.batchRecords = batchRecords;
        this.identity = "generator schema=" + schema.name() + "/" + schema.fingerprintHex() + " seed=" + seed;
        this.count = count == 0 ? Long.MAX_VALUE : count;
        this.play = new Play(recordsPerSecond, false);
        this.current = play;
    }

    /** Whether records of a schema can be made up: all of the fixed layout, and RADIUS accounting. */
    public static boolean canMake(Schema schema) {
        return BatchMaker.canMake(schema);
    }

    @Override
    public void open(long position) {
        next = position / maker.positionsPerRecord();
        begin(play);
    }

    private void begin(Play now) {
        current = now;
        currentAt = next;
        currentNanos = System.nanoTime();
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) {
        if (next >= count) {
            return Poll.END;
        }
        Play now = play;
        if (!now.equals(current)) {
            begin(now);
        }
        long due = due();
        if (due == 0) {
            LockSupport.parkNanos(maxWait.toNanos());
            due = due();
        }
        int records = (int) Math.min(Math.min(due, count - next), batchRecords);
        if (records == 0) {
            return Poll.NOTHING_YET;
        }
        maker.fill(batch, next, records);
        next += records;
        return Poll.RECORDS;
    }

    /** How many records the rate allows by now. */
    private long due() {
        if (current.paused()) {
            return 0;
        }
        if (current.rate() == 0) {
            return Long.MAX_VALUE;
        }
        double seconds = (System.nanoTime() - currentNanos) / 1e9;
        return Math.max(0, currentAt + (long) (seconds * current.rate()) - next);
    }

    @Override
    public Player player() {
        return this;
    }

    @Override
    public Play play() {
        return play;
    }

    @Override
    public void play(Play newPlay) {
        play = newPlay;
    }

    @Override
    public long lag() {
        return count == Long.MAX_VALUE ? -1 : (count - next) * maker.positionsPerRecord();
    }

    @Override
    public boolean replayable() {
        return true;
    }

    @Override
    public String identity(long position) {
        return identity;
    }

    @Override
    public void verify(String before) throws FeedChangedException {
        if (!before.equals(identity)) {
            throw new FeedChangedException(
                    "The generator is configured as '" + identity + "', but was '" + before + "'.");
        }
    }

    @Override
    public void close() {
        // holds nothing
    }
}
