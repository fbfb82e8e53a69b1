package io.millrace.pipeline;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed.Piece;
import io.millrace.measure.run.MeasureProcessor;
import io.millrace.pipeline.monitor.LateMonitor;
import io.millrace.pipeline.monitor.RejectMonitor;
import io.millrace.pipeline.run.BatchProcessing;
import java.util.List;
import java.util.function.LongSupplier;

/** Sends the batches of a feed through the channels of the pipeline. */
final class ChannelProcessing implements BatchProcessing {

    private final PartitionParts parts;
    private final RejectMonitor rejectMonitor;
    private final LateMonitor lateMonitor;
    private final Counter superseded;
    private final LongSupplier inFlight;

    /**
     * @param superseded counts records that were received and not stored
     * @param inFlight returns the number of records in flight
     */
    ChannelProcessing(
            PartitionParts parts,
            RejectMonitor rejectMonitor,
            LateMonitor lateMonitor,
            Counter superseded,
            LongSupplier inFlight) {
        this.parts = parts;
        this.rejectMonitor = rejectMonitor;
        this.lateMonitor = lateMonitor;
        this.superseded = superseded;
        this.inFlight = inFlight;
    }

    @Override
    public void begin() {
        rejectMonitor.begin();
        lateMonitor.begin();
        parts.entry().open();
    }

    @Override
    public void process(RecordBatch batch) {
        parts.input().accept(batch);
        if (batch.to() != RecordBatch.NO_POSITION) {
            cover(batch.to());
        }
    }

    @Override
    public void reject(List<Piece> pieces) {
        parts.entry().rejectPieces(pieces);
    }

    @Override
    public void cover(long position) {
        parts.rejects().send(position);
    }

    @Override
    public void end(boolean last, long extent) {
        for (MeasureProcessor measure : parts.assembler().measures()) {
            if (last) {
                measure.end(extent);
            } else {
                measure.pause(extent);
            }
        }
    }

    @Override
    public void idle(long nanos) {
        parts.assembler().measures().forEach(measure -> measure.idle(nanos));
    }

    @Override
    public boolean countsIdleTime() {
        for (MeasureProcessor measure : parts.assembler().measures()) {
            if (measure.hasIdleTimeout()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean needsRecordsOnly() {
        return parts.assembler().measures().isEmpty()
                && parts.rules().running().version().tables().isEmpty();
    }

    @Override
    public long arrived() {
        return parts.entry().arrived().get();
    }

    /** Called between batches, whatever the sender: within a batch, its rejects are only partly counted. */
    @Override
    public void judge(boolean wholeFeed) {
        lateMonitor.evaluate(wholeFeed);
        if (wholeFeed || rejectMonitor.due()) {
            parts.lock().lock();
            try {
                rejectMonitor.evaluate(wholeFeed);
            } finally {
                parts.lock().unlock();
            }
        }
    }

    @Override
    public void hold() {
        parts.entry().hold();
    }

    @Override
    public void refuse(String why) {
        parts.entry().close(why);
    }

    @Override
    public void superseded() {
        superseded.add(inFlight.getAsLong());
    }
}
