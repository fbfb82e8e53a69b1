package io.millrace.simulation;

import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import io.millrace.store.Trades;
import java.time.Duration;

/** So many records that can be read again, in batches of any size. */
final class SimulatedFile implements Feed {

    private final Simulation simulation;
    private final byte[] records;
    private final int count;
    private final int pollMillis;
    private int next;

    /** @param pollMillis maximum time that a poll takes */
    SimulatedFile(Simulation simulation, byte[] records, int pollMillis) {
        this.simulation = simulation;
        this.pollMillis = pollMillis;
        this.records = records;
        this.count = records.length / Trades.LENGTH;
    }

    @Override
    public void open(long position) {
        next = Math.toIntExact(position / Trades.LENGTH);
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) {
        simulation.sleep(simulation.millis(pollMillis));
        if (next == count) {
            return Poll.END;
        }
        if (simulation.oneIn(8)) {
            return Poll.NOTHING_YET;
        }
        int end = Math.min(count, next + 1 + simulation.random().nextInt(24));
        Trades.batch(batch, records, next, end);
        next = end;
        return Poll.RECORDS;
    }

    @Override
    public long lag() {
        return (long) count - next;
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
