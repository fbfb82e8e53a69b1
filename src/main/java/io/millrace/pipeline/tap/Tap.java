package io.millrace.pipeline.tap;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchFilter;
import io.millrace.schema.Schema;
import io.millrace.store.region.StoredForm;
import io.millrace.store.region.StoredForms;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.ChannelInterceptor;
import org.springframework.messaging.support.InterceptableChannel;

/**
 * Samples the records that pass a point of a running pipeline, until it is closed. It retains one record, chosen
 * uniformly at random from those that have passed since the last call of {@link Tap#take}. The pipeline's thread draws
 * one random number for each batch, rarely copies a record, and decodes nothing. If there is a condition, it also
 * evaluates that on each record. Thread-safe.
 */
public final class Tap implements ChannelInterceptor, AutoCloseable {

    /** A record for which the condition has no result does not meet it. */
    private static final RejectSink IGNORE = (_, _, _) -> {};

    private final List<InterceptableChannel> channels;
    private final Schema batches;
    private final StoredForm form;
    private final @Nullable BatchFilter condition;
    private final RecordBatch matching;
    private final InstantSource clock;
    private final SplittableRandom random = new SplittableRandom();
    private long passed;
    private byte[] record = new byte[0];
    private long time;

    /**
     * Starts to sample.
     *
     * @param channels channels of the point
     * @param condition condition that records must meet, compiled for the batches of the point; null for all records
     */
    public Tap(
            TapPoint point, List<InterceptableChannel> channels, @Nullable BatchFilter condition, InstantSource clock) {
        this.channels = List.copyOf(channels);
        this.batches = point.batches();
        this.condition = condition;
        this.matching = new RecordBatch(batches);
        this.form = StoredForms.of(point.schema().stored());
        this.clock = clock;
        this.channels.forEach(channel -> channel.addInterceptor(this));
    }

    /**
     * A sampled record.
     *
     * @param time time at which it passed, in milliseconds since 1970
     * @param passed number of records that passed, and meet the condition, since the last call of {@link Tap#take}
     * @param stored the record in its stored form, by the schema of the point
     */
    public record Tapped(long time, long passed, byte[] stored) {}

    @Override
    @SuppressWarnings("ReferenceEquality") // each pipeline has its own schema, and two of them can be equal
    public Message<?> preSend(Message<?> message, MessageChannel channel) {
        if (message.getPayload() instanceof RecordBatch batch && batch.schema() == batches) {
            sample(batch);
        }
        return message;
    }

    /** Returns a batch in which only the records that meet the condition are selected. */
    private RecordBatch matching(RecordBatch batch, BatchFilter filter) {
        System.arraycopy(batch.selection(), 0, matching.share(batch).selection(), 0, batch.selected());
        matching.select(batch.selected());
        filter.apply(matching, IGNORE);
        return matching;
    }

    /** Lanes of a pipeline with several partitions take turns, also for the condition. */
    private synchronized void sample(RecordBatch passing) {
        RecordBatch batch = condition == null ? passing : matching(passing, condition);
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

    /** Returns one of the records that have passed since the last call, or null if none has. */
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
