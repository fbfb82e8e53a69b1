package io.millrace.pipeline.tap;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;
import io.millrace.store.StoredForm;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.ChannelInterceptor;
import org.springframework.messaging.support.InterceptableChannel;

/**
 * Listens at a point of a running pipeline until it is closed. Of the records that pass it keeps one, each as likely as
 * any other, until that is taken. The pipeline's thread draws a number for each batch and seldom copies a record; it
 * decodes nothing. Thread-safe.
 */
public final class Tap implements ChannelInterceptor, AutoCloseable {

    private final List<InterceptableChannel> channels;
    private final Schema batches;
    private final StoredForm form;
    private final InstantSource clock;
    private final SplittableRandom random = new SplittableRandom();
    private long passed;
    private byte[] record = new byte[0];
    private long time;

    /**
     * Begins to listen.
     *
     * @param channels of the point
     * @param batches schema of the pipeline's batches; others may pass a channel of the user's
     */
    public Tap(TapPoint point, List<InterceptableChannel> channels, Schema batches, InstantSource clock) {
        this.channels = List.copyOf(channels);
        this.batches = batches;
        this.form = StoredForm.of(point.schema().stored());
        this.clock = clock;
        this.channels.forEach(channel -> channel.addInterceptor(this));
    }

    /**
     * A record that passed.
     *
     * @param time when, in milliseconds since 1970
     * @param passed how many passed since the last was taken
     * @param stored the record in its stored form, by the schema of the point
     */
    public record Tapped(long time, long passed, byte[] stored) {}

    @Override
    @SuppressWarnings("ReferenceEquality") // each pipeline has a schema of its own, equal as they may be
    public Message<?> preSend(Message<?> message, MessageChannel channel) {
        if (message.getPayload() instanceof RecordBatch batch && batch.schema() == batches) {
            see(batch);
        }
        return message;
    }

    private synchronized void see(RecordBatch batch) {
        int alive = batch.selected();
        if (alive == 0) {
            return;
        }
        passed += alive;
        long drawn = random.nextLong(passed);
        if (drawn < alive) {
            record = form.copy(batch, batch.selection()[(int) drawn]);
            time = clock.millis();
        }
    }

    /** One of the records that passed since the last was taken; null where none did. */
    public synchronized @Nullable Tapped take() {
        if (passed == 0) {
            return null;
        }
        Tapped taken = new Tapped(time, passed, record);
        passed = 0;
        return taken;
    }

    @Override
    public void close() {
        channels.forEach(channel -> channel.removeInterceptor(this));
    }
}
