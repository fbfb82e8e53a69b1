package io.millrace.feed.generator;

import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import io.millrace.schema.Schema;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Records made up as they are pulled, at a steady rate or as fast as they are taken. The same seed makes the same
 * records, so the feed is replayable.
 */
public final class GeneratorFeed implements Feed {

    private final BatchMaker maker;
    private final int batchRecords;
    private final long count;
    private final long recordsPerSecond;
    private long next;
    private long openedNanos;
    private long openedAt;

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
        this.count = count == 0 ? Long.MAX_VALUE : count;
        this.recordsPerSecond = recordsPerSecond;
    }

    /** Whether records of a schema can be made up: all of the fixed layout, and RADIUS accounting. */
    public static boolean canMake(Schema schema) {
        return BatchMaker.canMake(schema);
    }

    @Override
    public void open(long position) {
        next = position / maker.positionsPerRecord();
        openedAt = next;
        openedNanos = System.nanoTime();
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) {
        if (next >= count) {
            return Poll.END;
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
        if (recordsPerSecond == 0) {
            return Long.MAX_VALUE;
        }
        double seconds = (System.nanoTime() - openedNanos) / 1e9;
        return Math.max(0, openedAt + (long) (seconds * recordsPerSecond) - next);
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
    public void close() {
        // holds nothing
    }
}
