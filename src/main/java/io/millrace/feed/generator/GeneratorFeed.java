package io.millrace.feed.generator;

import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedChangedException;
import io.millrace.feed.Player;
import io.millrace.feed.Split;
import io.millrace.feed.Stripes;
import io.millrace.schema.Schema;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A feed of generated records, at a rate that can be changed or as fast as they are polled. The same seed generates the
 * same records, so the feed is replayable.
 */
public final class GeneratorFeed implements Feed, Player {

    /** The number of records of a stripe, if there are several splits. */
    private static final int STRIPE_RECORDS = 16_384;

    /** Time for which a poll waits for more records than the next one. */
    private static final long MIN_WAIT_NANOS = 5_000_000;

    private final BatchMaker maker;
    private final Split split;
    /** Their positions are numbers of records. */
    private final Stripes stripes;

    private final int batchRecords;
    private final String identity;
    private final long count;
    private volatile Play play;
    private long next;
    /** The rate in effect since the last change, with the time and the number of records at the change. */
    private Play current;

    private long changedNanos;
    private long changedAtRecord;

    /**
     * @param schema of the records
     * @param seed equal seeds generate equal records
     * @param count total number of records, 0 for no limit
     * @param recordsPerSecond initial rate, 0 for as fast as they are polled
     * @param batchRecords maximum number of records per poll
     * @param split part of the records, which has its share of the rate
     * @throws IllegalArgumentException if records of this schema cannot be generated
     */
    public GeneratorFeed(Schema schema, long seed, long count, long recordsPerSecond, int batchRecords, Split split) {
        this.maker = maker(schema, seed, batchRecords);
        this.batchRecords = batchRecords;
        this.split = split;
        this.stripes = new Stripes(split, 1, STRIPE_RECORDS);
        this.identity = "generator schema=" + schema.name() + "/" + schema.fingerprintHex() + " seed=" + seed;
        this.count = count == 0 ? Long.MAX_VALUE : count;
        this.play = new Play(recordsPerSecond, false);
        this.current = play;
    }

    /** Returns whether records of a schema can be generated: all of the fixed layout, and RADIUS accounting. */
    public static boolean canMake(Schema schema) {
        return !schema.layout().variesInLength() || schema.name().equals(AccountingMaker.SCHEMA);
    }

    /**
     * Returns the generator for the records of a schema.
     *
     * @param batchRecords maximum number of records per batch
     * @throws IllegalArgumentException if records of this schema cannot be generated
     */
    private static BatchMaker maker(Schema schema, long seed, int batchRecords) {
        if (!schema.layout().variesInLength()) {
            return new FixedMaker(schema, seed, batchRecords);
        }
        if (canMake(schema)) {
            return new AccountingMaker(seed, batchRecords);
        }
        throw new IllegalArgumentException("Unable to generate records of schema '" + schema.name() + "', of the "
                + schema.layout().name() + " layout. Use a schema of the fixed layout, or " + AccountingMaker.SCHEMA
                + ".");
    }

    @Override
    public void open(long position) {
        next = stripes.next(position / maker.positionsPerRecord());
        begin(play);
    }

    private void begin(Play now) {
        current = now;
        changedAtRecord = stripes.before(next);
        changedNanos = System.nanoTime();
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
            LockSupport.parkNanos(Math.min(maxWait.toNanos(), Math.max(MIN_WAIT_NANOS, nanosUntilDue())));
            due = due();
        }
        long ofStripe = Math.min(stripes.remaining(next), count - next);
        int records = (int) Math.min(Math.min(due, ofStripe), batchRecords);
        if (records == 0) {
            return Poll.NOTHING_YET;
        }
        maker.fill(batch, next, records);
        next = stripes.next(next + records);
        return Poll.RECORDS;
    }

    /** Returns the number of records due at the current rate. */
    private long due() {
        if (current.paused()) {
            return 0;
        }
        if (current.rate() == 0) {
            return Long.MAX_VALUE;
        }
        double seconds = (System.nanoTime() - changedNanos) / 1e9;
        return Math.max(0, changedAtRecord + (long) (seconds * current.rate() / split.count()) - stripes.before(next));
    }

    private long nanosUntilDue() {
        if (current.paused()) {
            return Long.MAX_VALUE;
        }
        double records = stripes.before(next) + 1.0 - changedAtRecord;
        return changedNanos + (long) Math.ceil(records * split.count() / current.rate() * 1e9) - System.nanoTime();
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
        return count == Long.MAX_VALUE
                ? -1
                : Math.max(0, stripes.before(count) - stripes.before(next)) * maker.positionsPerRecord();
    }

    @Override
    public long extent() {
        return count == Long.MAX_VALUE ? 0 : count;
    }

    @Override
    public long taken(long position) {
        return stripes.before(position / maker.positionsPerRecord()) * maker.positionsPerRecord();
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
        // no resources to release
    }
}
