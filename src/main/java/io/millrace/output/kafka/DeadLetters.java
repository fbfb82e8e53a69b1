package io.millrace.output.kafka;

import io.millrace.codec.RecordBatch;
import io.millrace.output.OutputContext;
import io.millrace.store.reject.Reject;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Makes messages of rejects: the bytes that were rejected, with headers. Allocates them. Not thread-safe. */
final class DeadLetters {

    private static final String PREFIX = "millrace.";

    private final String topic;
    private final OutputContext context;

    DeadLetters(String topic, OutputContext context) {
        this.topic = topic;
        this.context = context;
    }

    /** Returns the message of a reject, which has the schema of {@link Reject}. */
    ProducerRecord<byte[], byte[]> of(RecordBatch batch, int ordinal, byte @Nullable [] key) {
        int start = batch.offset(ordinal);
        Reject reject = Reject.decode(batch.bytes(), start, start + batch.length(ordinal));
        ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(topic, key, reject.bytes());
        Headers headers = message.headers();
        add(headers, "pipeline", context.pipeline());
        add(headers, "partition", String.valueOf(context.partition()));
        if (reject.position() != RecordBatch.NO_POSITION) {
            add(headers, "position", String.valueOf(reject.position()));
        }
        add(headers, "time", reject.time().toString());
        add(headers, "reason", reject.kind().tag());
        add(headers, "detail", reject.detail());
        add(headers, "length", String.valueOf(reject.length()));
        return message;
    }

    private static void add(Headers headers, String name, String text) {
        headers.add(PREFIX + name, text.getBytes(StandardCharsets.UTF_8));
    }
}
