package io.millrace.simulation;

import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedChangedException;
import io.millrace.feed.Split;
import io.millrace.feed.Stripes;
import io.millrace.store.Trades;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Records of a split that can be read again, in batches of any size. What is written to the file later is read after an
 * opening. As feeds of real files do, it identifies the file by what was read of it.
 */
final class SimulatedFile implements Feed {

    private static final String IDENTITY = "simulated at=";

    private final Simulation simulation;
    private final SharedFile file;
    private final int pollMillis;
    private final int batchRecords;
    private final Stripes stripes;
    private final Mutant mutant;
    /** Reports the state of the pipeline, which may have changed. */
    private final Runnable watch;
    /** Whether the partition that reads it has failed. */
    private final BooleanSupplier failed;

    private int next;
    /** Whether the incomplete record at the end was returned. */
    private boolean returned;

    /** Bytes that it had when its end was read, -1 before. */
    private int endedAt = -1;

    /** Bytes that it had when it was opened. */
    private int openedLength;

    /** Position up to which the bytes are known, when the file is opened. */
    private long verified;

    /** Where it was opened, and the ends of the last two batches. */
    private final long[] ends = new long[3];

    /** Whether the file could not be read since it was opened. */
    private boolean interrupted;

    /** Whether it was no longer the file that was read, and the partition has not failed since. */
    private boolean changed;

    private @Nullable Piece piece;

    /**
     * @param pollMillis maximum time that a poll takes
     * @param batchRecords maximum number of records that a poll returns
     * @param stripes those of the split
     * @param mutant perhaps a fault of feeds
     * @param watch reports the state of the pipeline
     * @param failed whether the partition that reads the file has failed
     */
    SimulatedFile(
            Simulation simulation,
            SharedFile file,
            int pollMillis,
            int batchRecords,
            Stripes stripes,
            Mutant mutant,
            Runnable watch,
            BooleanSupplier failed) {
        this.simulation = simulation;
        this.file = file;
        this.pollMillis = pollMillis;
        this.batchRecords = batchRecords;
        this.stripes = stripes;
        this.mutant = mutant;
        this.watch = watch;
        this.failed = failed;
    }

    int endedAt() {
        return endedAt;
    }

    private int count() {
        return file.length() / Trades.LENGTH;
    }

    /** What reads the file. */
    private interface Access<T> {
        T run() throws IOException;
    }

    private <T> T access(Access<T> access) throws IOException {
        try {
            file.requireReadable();
            return access.run();
        } catch (FeedChangedException e) {
            changed = !failed.getAsBoolean();
            throw e;
        } catch (IOException e) {
            interrupted = true;
            throw e;
        }
    }

    @Override
    public void open(long position) throws IOException {
        long from = mutant == Mutant.FEED_READ_AGAIN_AFTER_A_FAILURE && interrupted
                ? Math.min(ends[0], position)
                : position;
        access(() -> {
            requireSame(verified);
            file.open(from, verified);
            return true;
        });
        interrupted = false;
        verified = 0;
        openedLength = file.length();
        next = Math.toIntExact(from / Trades.LENGTH);
        Arrays.fill(ends, position);
        returned = false;
        endedAt = -1;
        piece = null;
    }

    private void requireSame(long position) throws FeedChangedException {
        if (mutant != Mutant.CHANGED_FEED_CONTINUED) {
            file.requireSame(position);
        }
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) throws IOException {
        watch.run();
        simulation.sleep(simulation.millis(pollMillis));
        return access(() -> read(batch));
    }

    private Poll read(RecordBatch batch) throws IOException {
        if (next == 0) {
            file.requireBeginning();
        }
        int count = count();
        long position = stripes.next((long) next * Trades.LENGTH);
        if (position >= (long) count * Trades.LENGTH) {
            requireComplete();
            int start = count * Trades.LENGTH;
            if (file.length() > start && position == start && !returned) {
                piece = Piece.incomplete(start, file.copy(start), "the file ends in a record");
                returned = true;
            }
            endedAt = file.length();
            return Poll.END;
        }
        if (simulation.oneIn(8)) {
            return Poll.NOTHING_YET;
        }
        next = (int) (position / Trades.LENGTH);
        int most = (int) Math.min(count - next, stripes.remaining(position) / Trades.LENGTH);
        int end = next + Math.min(most, 1 + simulation.random().nextInt(batchRecords));
        if (batch.schema().groups().isEmpty()) {
            Trades.batch(batch, file.bytes(), next, end);
        } else {
            long[] positions = LongStream.rangeClosed(next, end)
                    .map(record -> record * Trades.LENGTH)
                    .toArray();
            Parts.fill(batch, next, end, positions);
        }
        next = end;
        ends[1] = ends[2];
        ends[2] = (long) end * Trades.LENGTH;
        return Poll.RECORDS;
    }

    private void requireComplete() throws FeedChangedException {
        if (mutant != Mutant.CHANGED_FEED_CONTINUED) {
            file.requireComplete(Math.max(openedLength, next * Trades.LENGTH));
        }
    }

    @Override
    public @Nullable Piece takePiece() {
        Piece taken = piece;
        piece = null;
        return taken;
    }

    @Override
    public long extent() {
        return (long) endedAt / Trades.LENGTH * Trades.LENGTH;
    }

    @Override
    public long lag() {
        return (long) count() - next;
    }

    @Override
    public boolean replayable() {
        return true;
    }

    @Override
    public String identity(long position) throws IOException {
        if (Arrays.stream(ends).noneMatch(end -> end == position)) {
            file.report("identified at " + position + " instead of " + Arrays.toString(ends));
        }
        return access(() -> {
            requireComplete();
            if (mutant != Mutant.CHANGED_FEED_CONTINUED) {
                file.requireUnchanged(position);
            }
            return IDENTITY + position;
        });
    }

    @Override
    public void verify(String identity) throws IOException {
        String text = Split.unmarked(identity);
        long position = text.isEmpty() ? 0 : Long.parseLong(text.substring(IDENTITY.length()));
        access(() -> {
            requireSame(position);
            return true;
        });
        verified = position;
    }

    /** The partition that reads it has failed. */
    void fail() {
        changed = false;
    }

    @Override
    public void close() {
        if (changed && !failed.getAsBoolean()) {
            file.report("the pipeline did not fail though its file has changed");
        }
    }
}
