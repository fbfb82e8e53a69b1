package io.millrace.simulation;

import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import io.millrace.feed.Stripes;
import io.millrace.store.Trades;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.IntSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Records of a split that can be read again, in batches of any size. What is written to the file later is read after an
 * opening.
 */
final class SimulatedFile implements Feed {

    private final Simulation simulation;
    private final byte[] records;
    private final IntSupplier length;
    private final int pollMillis;
    private final Stripes stripes;
    private int next;
    /** Whether the incomplete record at the end was returned. */
    private boolean returned;

    /** Bytes that it had when its end was read, -1 before. */
    private int endedAt = -1;

    private @Nullable Piece piece;

    /**
     * @param length how many bytes of the records the file has
     * @param pollMillis maximum time that a poll takes
     * @param stripes those of the split
     */
    SimulatedFile(Simulation simulation, byte[] records, IntSupplier length, int pollMillis, Stripes stripes) {
        this.simulation = simulation;
        this.pollMillis = pollMillis;
        this.stripes = stripes;
        this.records = records;
        this.length = length;
    }

    int endedAt() {
        return endedAt;
    }

    private int count() {
        return length.getAsInt() / Trades.LENGTH;
    }

    @Override
    public void open(long position) {
        next = Math.toIntExact(position / Trades.LENGTH);
        returned = false;
        endedAt = -1;
        piece = null;
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) {
        simulation.sleep(simulation.millis(pollMillis));
        int count = count();
        long position = stripes.next((long) next * Trades.LENGTH);
        if (position >= (long) count * Trades.LENGTH) {
            int start = count * Trades.LENGTH;
            if (length.getAsInt() > start && position == start && !returned) {
                byte[] bytes = Arrays.copyOfRange(records, start, length.getAsInt());
                piece = Piece.incomplete(start, bytes, "the file ends in a record");
                returned = true;
            }
            endedAt = length.getAsInt();
            return Poll.END;
        }
        if (simulation.oneIn(8)) {
            return Poll.NOTHING_YET;
        }
        next = (int) (position / Trades.LENGTH);
        int most = (int) Math.min(count - next, stripes.remaining(position) / Trades.LENGTH);
        int end = next + Math.min(most, 1 + simulation.random().nextInt(24));
        if (batch.schema().groups().isEmpty()) {
            Trades.batch(batch, records, next, end);
        } else {
            long[] positions = LongStream.rangeClosed(next, end)
                    .map(record -> record * Trades.LENGTH)
                    .toArray();
            Parts.fill(batch, next, end, positions);
        }
        next = end;
        return Poll.RECORDS;
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
    public String identity(long position) {
        return "simulated";
    }

    @Override
    public void verify(String identity) {
        if (!identity.equals("simulated")) {
            throw new AssertionError(identity);
        }
    }

    @Override
    public void close() {
        // holds nothing
    }
}
