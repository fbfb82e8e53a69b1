package io.millrace.output.kafka;

import io.millrace.background.CauseChain;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.output.OutputContext;
import io.millrace.output.OutputWriter;
import io.millrace.output.kafka.TransactionalProducer.Stored;
import io.millrace.store.error.StoreReopenedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Writes records to a topic in transactions, each of which also stores the position of the feed.
 *
 * <p>Messages stay in memory until the transaction that contains them is committed. After any failure, another producer
 * takes over from the failed one, and sends them again in a new transaction, unless the failed one was committed: each
 * transaction has a mark of its own, which is stored with the position.
 *
 * <pre>
 * open    connect, read (position, mark), commit (position, mark of this term)
 * append  messages; send those of a large transaction early
 * flush   [after a failure: connect, read the mark]  send, commit (position, next mark)
 *          mark of the last commit:   the failed transaction was aborted: send all again
 *          mark of the failed commit: it was committed: drop its messages
 *          any other mark:            another process has written since: the term ends
 * </pre>
 *
 * <p>Allocates each message, its key and its value. Not thread-safe.
 */
final class KafkaOutputWriter implements OutputWriter {

    /** Bytes of messages from which on they are sent before the flush. */
    private static final int SEND_BYTES = 1 << 20;
    /** Bytes of messages from which on they should be flushed. */
    private static final int FLUSH_BYTES = 1 << 25;
    /** Bytes in memory for each message in addition to key and value. */
    private static final int MESSAGE_BYTES = 100;
    /** Maximum bytes that Kafka adds to key and value of a message. */
    private static final int OVERHEAD_BYTES = 128;
    /** Maximum bytes of a value with several records. */
    private static final int BATCH_BYTES = 1 << 16;

    private final MessageForm form;
    private final TransactionalProducer producer;
    private final OutputContext context;
    private final Messages messages;
    private final int maxBytes;
    private @Nullable MessageKeys keys;
    private final List<ProducerRecord<byte[], byte[]>> unflushed = new ArrayList<>();
    private long unflushedBytes;
    private long unsentBytes;
    /** Number of unflushed messages that are in the transaction. */
    private int sent;

    private String term = "";
    private long transactions;
    private String lastMark = "";
    /** The commit whose outcome is unknown. */
    private @Nullable Attempt attempt;

    /**
     * A commit.
     *
     * @param mark that it stores
     * @param messages number of unflushed messages that it contains
     */
    private record Attempt(String mark, int messages) {}

    KafkaOutputWriter(MessageForm form, TransactionalProducer producer, OutputContext context) {
        this.form = form;
        this.producer = producer;
        this.context = context;
        messages = messages();
        maxBytes = (int) Math.max(0, producer.maxMessageBytes() - OVERHEAD_BYTES);
    }

    /** Makes the message of a record. */
    @FunctionalInterface
    private interface Messages {
        ProducerRecord<byte[], byte[]> of(RecordBatch batch, int ordinal, byte @Nullable [] key);
    }

    private Messages messages() {
        if (form.format() == KafkaFormat.DEAD_LETTER) {
            return new DeadLetters(form.topic(), context)::of;
        }
        MessageValues values = new MessageValues(form.format(), context.schema().stored());
        return (batch, ordinal, key) -> new ProducerRecord<>(form.topic(), key, values.of(batch, ordinal));
    }

    @Override
    public long open(long epoch, long discardFrom) throws IOException {
        clear();
        try {
            Stored stored = producer.connect();
            if (stored.position() > discardFrom) {
                throw new IllegalStateException("Topic '" + form.topic() + "' contains the records of '"
                        + producer.id() + "' up to position " + stored.position()
                        + ", and messages can't be removed from position " + discardFrom
                        + " on. Start the pipeline once with the rules that it had before, and stop it.");
            }
            term = epoch + "-" + UUID.randomUUID();
            transactions = 0;
            lastMark = nextMark();
            // From now on, a writer of an earlier term finds another mark than its own.
            producer.commit(new Stored(stored.position(), lastMark));
            return stored.position();
        } catch (KafkaException e) {
            producer.abandon();
            throw failure(e);
        } catch (RuntimeException e) {
            producer.abandon();
            throw e;
        }
    }

    private String nextMark() {
        return term + "-" + transactions++;
    }

    private void clear() {
        unflushed.clear();
        unflushedBytes = 0;
        unsentBytes = 0;
        sent = 0;
        attempt = null;
    }

    /** Failures of brokers are left to the flush, so that either all records of a batch are taken or none. */
    @Override
    public void append(RecordBatch batch) {
        int before = unflushed.size();
        try {
            addMessages(batch);
        } catch (RuntimeException e) {
            unflushed.subList(before, unflushed.size()).clear();
            throw e;
        }
        for (ProducerRecord<byte[], byte[]> message : unflushed.subList(before, unflushed.size())) {
            long bytes = MESSAGE_BYTES + bytes(message);
            unflushedBytes += bytes;
            unsentBytes += bytes;
        }
        if (unsentBytes >= SEND_BYTES && producer.connected()) {
            try {
                send();
            } catch (KafkaException e) {
                abandon();
            }
        }
    }

    private void addMessages(RecordBatch batch) {
        if (form.format() == KafkaFormat.BATCH) {
            addValuesOfSeveral(batch);
            return;
        }
        BitSet rejected = new BitSet();
        byte[] @Nullable [] keysOfBatch = keys(batch, (records, ordinal, reason) -> {
            rejected.set(ordinal);
            context.rejects().reject(records, ordinal, reason);
        });
        for (int i = 0; i < batch.selected(); i++) {
            int ordinal = batch.selection()[i];
            if (!rejected.get(ordinal)) {
                addMessage(batch, ordinal, keysOfBatch[ordinal]);
            }
        }
    }

    /** Returns the keys by the ordinals of the records. */
    private byte[] @Nullable [] keys(RecordBatch batch, RejectSink rejects) {
        String expression = form.key();
        if (expression == null) {
            return new byte[batch.count()][];
        }
        MessageKeys current = keys;
        if (current == null || !current.reads(batch.schema())) {
            current = MessageKeys.of(batch.schema(), expression);
            keys = current;
        }
        return current.of(batch, rejects);
    }

    private void addMessage(RecordBatch batch, int ordinal, byte @Nullable [] key) {
        ProducerRecord<byte[], byte[]> message;
        try {
            message = messages.of(batch, ordinal, key);
        } catch (FieldValueException | IllegalArgumentException e) {
            reject(batch, ordinal, RejectReason.Kind.INVALID_VALUE, String.valueOf(e.getMessage()));
            return;
        }
        long bytes = bytes(message);
        if (bytes > maxBytes) {
            reject(
                    batch,
                    ordinal,
                    RejectReason.Kind.OUT_OF_RANGE,
                    "the message has " + bytes + " bytes, with max.request.size it has at most " + maxBytes);
            return;
        }
        unflushed.add(message);
    }

    private static long bytes(ProducerRecord<byte[], byte[]> message) {
        long bytes = message.value().length + (message.key() == null ? 0L : message.key().length);
        for (Header header : message.headers()) {
            bytes += header.key().length() + header.value().length;
        }
        return bytes;
    }

    private void reject(RecordBatch batch, int ordinal, RejectReason.Kind kind, String detail) {
        context.rejects().reject(batch, ordinal, new RejectReason(kind, detail));
    }

    private void addValuesOfSeveral(RecordBatch batch) {
        int length = context.schema().stored().recordLength();
        int most = Math.max(1, Math.min(BATCH_BYTES, maxBytes) / length);
        for (int i = 0; i < batch.selected(); i += most) {
            int count = Math.min(most, batch.selected() - i);
            byte[] value = new byte[count * length];
            for (int j = 0; j < count; j++) {
                batch.copyRecord(batch.selection()[i + j], value, j * length, length);
            }
            unflushed.add(new ProducerRecord<>(form.topic(), value));
        }
    }

    private void send() {
        while (sent < unflushed.size()) {
            producer.send(unflushed.get(sent));
            sent++;
        }
        unsentBytes = 0;
    }

    /** A batch that was sent in part is sent as a whole by the next transaction. */
    private void abandon() {
        producer.abandon();
        sent = 0;
        unsentBytes = unflushedBytes;
    }

    @Override
    public boolean isFull() {
        return unflushedBytes >= FLUSH_BYTES;
    }

    /** Stores no position if nothing was appended since the last one: there is nothing that could come twice. */
    @Override
    public void flush(long position) throws IOException {
        if (unflushed.isEmpty()) {
            return;
        }
        try {
            if (!producer.connected()) {
                reconnect();
            }
            if (!unflushed.isEmpty()) {
                send();
                String mark = nextMark();
                attempt = new Attempt(mark, unflushed.size());
                producer.commit(new Stored(position, mark));
                lastMark = mark;
                clear();
            }
        } catch (KafkaException e) {
            abandon();
            throw failure(e);
        }
    }

    /** Takes over from the producer that has failed, and finds out whether its last transaction was committed. */
    private void reconnect() {
        String mark = producer.connect().mark();
        Attempt failed = attempt;
        attempt = null;
        if (failed != null && failed.mark.equals(mark)) {
            lastMark = mark;
            unflushed.subList(0, failed.messages).clear();
            unflushedBytes = unflushed.isEmpty() ? 0 : unflushedBytes;
        } else if (!mark.isEmpty() && !mark.equals(lastMark)) {
            producer.abandon();
            throw new StoreReopenedException("Another process has written to topic '" + form.topic() + "' as '"
                    + producer.id() + "'. The pipeline continues with what the topic contains.");
        }
    }

    private IOException failure(KafkaException e) {
        for (Throwable cause : CauseChain.of(e)) {
            if (cause instanceof RecordTooLargeException) {
                throw new IllegalStateException(
                        "Topic '" + form.topic() + "' refuses a message: " + cause.getMessage()
                                + " Set 'max.request.size' of the output to less than the 'max.message.bytes' of the"
                                + " topic, so that such records are rejected, or increase the latter.",
                        e);
            }
        }
        String reason = CauseChain.describe(e, UnaryOperator.identity());
        return new IOException(
                "Cannot write to topic " + form.topic() + " of " + producer.connection() + ": " + reason, e);
    }

    @Override
    public void close() throws IOException {
        clear();
        try {
            producer.close();
        } catch (KafkaException e) {
            throw failure(e);
        }
    }
}
