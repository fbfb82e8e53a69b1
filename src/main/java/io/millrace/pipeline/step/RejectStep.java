package io.millrace.pipeline.step;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectReason.Kind;
import io.millrace.codec.RejectSink;
import io.millrace.store.RejectWriter;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.springframework.integration.handler.AbstractMessageHandler;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/**
 * Keeps records that could not be processed in the dead-letter region. Each passes as a message of its own over the
 * pipeline's {@code .rejected} channel, where others may listen: rejects are rare, and each is of interest.
 */
public final class RejectStep extends AbstractMessageHandler implements RejectSink {

    private final MessageChannel channel;
    private final RejectWriter writer;
    private final Map<Kind, Counter> counts = new EnumMap<>(Kind.class);
    /** Of the first reject of each kind since they were taken; guarded by itself. */
    private final Map<Kind, String> details = new EnumMap<>(Kind.class);

    /** @param channel the pipeline's channel for rejects, which this handler is subscribed to */
    public RejectStep(MessageChannel channel, RejectWriter writer) {
        this.channel = channel;
        this.writer = writer;
        for (Kind kind : Kind.values()) {
            counts.put(kind, new Counter());
        }
    }

    @Override
    public void reject(RecordBatch batch, int ordinal, RejectReason reason) {
        int at = batch.offset(ordinal);
        byte[] record = Arrays.copyOfRange(batch.bytes(), at, at + batch.length(ordinal));
        reject(new RejectedRecord(batch.position(ordinal), record, reason));
    }

    /** Keeps bytes that are no record. */
    public void reject(RejectedRecord rejected) {
        channel.send(new GenericMessage<>(rejected));
    }

    @Override
    protected void handleMessageInternal(Message<?> message) {
        if (message.getPayload() instanceof RejectedRecord(long position, byte[] bytes, RejectReason reason)) {
            writer.reject(position, bytes, 0, bytes.length, reason);
            count(reason.kind()).add(1);
            synchronized (details) {
                details.putIfAbsent(reason.kind(), reason.detail());
            }
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

    /** Rejects of one kind since the step was made. */
    public Counter count(Kind kind) {
        return counts.computeIfAbsent(kind, ignored -> new Counter());
    }
}
