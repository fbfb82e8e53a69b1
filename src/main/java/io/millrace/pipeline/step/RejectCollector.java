package io.millrace.pipeline.step;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectReason.Kind;
import io.millrace.codec.RejectSink;
import io.millrace.feed.Feed.Piece;
import io.millrace.store.reject.RejectBatch;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Collects the rejects of a partition and passes them on as batches of schema {@code reject}. It does so after a batch
 * has been processed, when the rejects of all steps are known. Not thread-safe, except for the counts and details.
 */
public final class RejectCollector implements RejectSink {

    private final StepOutput output;
    private final RejectBatch held;
    private final Map<Kind, Counter> counts = new EnumMap<>(Kind.class);
    private final Counter elements = new Counter();
    /** Details of the first reject of each kind since the last call of {@link #takeDetails}; guarded by itself. */
    private final Map<Kind, String> details = new EnumMap<>(Kind.class);

    private final AtomicReference<@Nullable RejectSink> observer = new AtomicReference<>();

    /**
     * @param output receives the batches of rejects
     * @param held buffers them
     */
    public RejectCollector(StepOutput output, RejectBatch held) {
        this.output = output;
        this.held = held;
        for (Kind kind : Kind.values()) {
            counts.put(kind, new Counter());
        }
    }

    @Override
    public void reject(RecordBatch batch, int ordinal, RejectReason reason) {
        held.add(batch, ordinal, reason);
        count(reason);
        elements.add(batch.isMade() ? 1 : 0);
        RejectSink also = observer.get();
        if (also != null) {
            also.reject(batch, ordinal, reason);
        }
    }

    /**
     * Passes each record that a step rejects to another sink too, on the pipeline's thread. A later sink replaces it.
     */
    public void observe(RejectSink sink) {
        observer.set(sink);
    }

    /** Stops passing records to a sink, unless another one has replaced it. */
    public void stopObserving(RejectSink sink) {
        observer.compareAndSet(sink, null);
    }

    /** Rejects bytes that are not a record. */
    public void reject(Piece piece) {
        held.add(piece.position(), piece.reason(), piece.bytes(), 0, piece.bytes().length);
        count(piece.reason());
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
     * @param covered feed position up to which records have been processed; {@link RecordBatch#NO_POSITION} to send
     *     rejects without a position
     */
    public void send(long covered) {
        RecordBatch batch = held.take(covered);
        if (batch.count() > 0) {
            output.accept(batch);
        }
    }

    /** Returns the detail of the first reject of each kind since the last call. Any thread may call it. */
    public Map<Kind, String> takeDetails() {
        synchronized (details) {
            Map<Kind, String> taken = new EnumMap<>(details);
            details.clear();
            return taken;
        }
    }

    /** Returns the number of rejects that a step has made of other records, such as elements of their lists. */
    public Counter elements() {
        return elements;
    }

    /** Returns the number of rejects of one kind since the collector was created. */
    public Counter count(Kind kind) {
        return counts.computeIfAbsent(kind, ignored -> new Counter());
    }
}
