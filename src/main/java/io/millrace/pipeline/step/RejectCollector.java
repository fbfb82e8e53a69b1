package io.millrace.pipeline.step;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectReason.Kind;
import io.millrace.codec.RejectSink;
import io.millrace.feed.Feed.Piece;
import io.millrace.store.RejectBatch;
import java.util.EnumMap;
import java.util.Map;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/**
 * Collects the rejects of a pipeline, and sends them as batches of schema {@code reject} over the pipeline's
 * {@code .rejected} channel, where others may listen: once a batch has been processed, since only then the rejects of
 * all steps are known. Not thread-safe, but for the counts and details.
 */
public final class RejectCollector implements RejectSink {

    private final MessageChannel channel;
    private final RejectBatch held;
    private final Map<Kind, Counter> counts = new EnumMap<>(Kind.class);
    /** Of the first reject of each kind since they were taken; guarded by itself. */
    private final Map<Kind, String> details = new EnumMap<>(Kind.class);

    /**
     * @param channel the pipeline's channel for rejects
     * @param held collects them
     */
    public RejectCollector(MessageChannel channel, RejectBatch held) {
        this.channel = channel;
        this.held = held;
        for (Kind kind : Kind.values()) {
            counts.put(kind, new Counter());
        }
    }

    @Override
    public void reject(RecordBatch batch, int ordinal, RejectReason reason) {
        held.add(batch, ordinal, reason);
        count(reason);
    }

    /** Rejects bytes that are no whole record. */
    public void reject(Piece piece) {
        RejectReason reason = new RejectReason(Kind.TRUNCATED, piece.detail());
        held.add(piece.position(), reason, piece.bytes(), 0, piece.bytes().length);
        count(reason);
    }

    private void count(RejectReason reason) {
        count(reason.kind()).add(1);
        synchronized (details) {
            details.putIfAbsent(reason.kind(), reason.detail());
        }
    }

    /**
     * Sends the rejects that can be stored.
     *
     * @param covered position up to which the feed has been processed; with {@link RecordBatch#NO_POSITION}, those
     *     without a position are sent
     */
    public void send(long covered) {
        RecordBatch batch = held.take(covered);
        if (batch.count() > 0) {
            channel.send(new GenericMessage<>(batch));
        }
    }

    /** Returns the detail of the first reject of each kind since the last call. Any thread. */
    public Map<Kind, String> takeDetails() {
        synchronized (details) {
            Map<Kind, String> taken = new EnumMap<>(details);
            details.clear();
            return taken;
        }
    }

    /** Rejects of one kind since the collector was made. */
    public Counter count(Kind kind) {
        return counts.computeIfAbsent(kind, ignored -> new Counter());
    }
}
