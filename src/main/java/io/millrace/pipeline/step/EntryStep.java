package io.millrace.pipeline.step;

import io.millrace.codec.Admission;
import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.codec.record.LayoutCodec;
import io.millrace.feed.Feed;
import io.millrace.schema.Schema;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The step before all others. It receives batches of the feed and the bytes of any sender, and admits only records
 * whose values are all valid. It processes one of them at a time, under the lock of its partition. It throws an
 * {@link IllegalStateException} for records that a subscriber sends back while its batch is being processed, and for
 * those that arrive after the pipeline has ended.
 */
public final class EntryStep extends BatchStep {

    private static final String STARTING = "it has not started yet";

    /** The maximum time that a sender waits for the start. */
    private static final Duration LONGEST_START = Duration.ofSeconds(30);

    private final RejectCollector rejects;
    private final ReentrantLock lock;
    private Reading reading;
    private final Counter arrived = new Counter();
    private final Counter batches = new Counter();
    private final Counter atWork = new Counter();
    private @Nullable String closeReason = STARTING;
    private final Condition started;
    private boolean working;
    private Runnable arrivalListener = () -> {};

    /**
     * What reads records of a schema. Each step needs one of its own.
     *
     * @param batch records of a message
     */
    public record Reading(LayoutCodec codec, Admission admission, RecordBatch batch) {

        /**
         * Compiles what reads records.
         *
         * @param schema schema of the records, with the fields that steps add
         */
        public static Reading of(Schema schema) {
            LayoutCodec codec = LayoutCodecs.of(schema);
            return new Reading(codec, codec.admission(), new RecordBatch(schema));
        }
    }

    /** @param lock held while a message is processed, and by everything else that uses the pipeline's writers */
    public EntryStep(String name, Reading reading, RejectCollector rejects, ReentrantLock lock) {
        super(name, "in");
        this.reading = reading;
        this.rejects = rejects;
        this.lock = lock;
        this.started = lock.newCondition();
    }

    /** Returns the lock that is held while records are processed. */
    public ReentrantLock lock() {
        return lock;
    }

    /** Reads records in another way from now on. Must be called under the lock, and not by a subscriber. */
    public void read(Reading next) {
        reading = next;
    }

    /**
     * Calls a listener after each batch and each message, under the lock. Must be called before any of them can arrive.
     */
    public void listen(Runnable listener) {
        arrivalListener = listener;
    }

    /** Returns the number of records and incomplete records received since the step was created. */
    public Counter arrived() {
        return arrived;
    }

    @Override
    public void accept(RecordBatch batch) {
        take(() -> super.accept(batch));
    }

    /**
     * Processes the records of a sender, whose bytes stay as they are.
     *
     * @param records complete records; the rest after the last one is rejected
     */
    public void accept(byte[] records) {
        // Steps may set fields in place, so the caller's array must be copied.
        take(() -> takeBytes(records.clone()));
    }

    private void take(Runnable work) {
        lock.lock();
        try {
            requireReady();
            working = true;
            try {
                work.run();
                atWork.set(0);
            } finally {
                rejects.send(RecordBatch.NO_POSITION);
                working = false;
                arrivalListener.run();
            }
        } finally {
            lock.unlock();
        }
    }

    private void requireReady() {
        awaitStart();
        if (closeReason != null) {
            throw new IllegalStateException("Channel '" + name() + "' accepts no records: " + closeReason + ".");
        }
        if (working) {
            throw new IllegalStateException("Channel '" + name() + "' is processing the batch that caused this message."
                    + " Send from another thread, or through a channel with a queue.");
        }
    }

    /** Waits at the start, and during a restart, until the pipeline's thread has opened the regions. */
    @SuppressWarnings("ReferenceEquality") // compares with the constant itself
    private void awaitStart() {
        long nanos = LONGEST_START.toNanos();
        boolean interrupted = false;
        while (closeReason == STARTING && nanos > 0 && !interrupted) {
            try {
                nanos = started.awaitNanos(nanos);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Accepts messages from now on. */
    public void open() {
        lock.lock();
        try {
            closeReason = null;
            atWork.set(0);
            started.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lets senders wait until {@link #open}, as at the start. Returns when no message is being processed. */
    public void hold() {
        lock.lock();
        try {
            closeReason = STARTING;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Refuses all messages from now on: records sent after the last flush would be lost silently. Any thread may call
     * it; it returns when no message is being processed.
     *
     * @param why the reason that senders receive
     */
    public void close(String why) {
        lock.lock();
        try {
            closeReason = why;
            started.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of batches received since the step was created. */
    public Counter batches() {
        return batches;
    }

    /**
     * Returns the number of records of the batch that is being processed. After a failed batch, it stays until the next
     * batch, because the number of processed records is unknown.
     */
    @Override
    public Counter atWork() {
        return atWork;
    }

    private void takeBytes(byte[] records) {
        RecordBatch ofBytes = reading.batch();
        int leftOver = reading.codec().frame(ofBytes, records);
        if (ofBytes.count() > 0) {
            super.accept(ofBytes);
        }
        if (leftOver > 0) {
            reject(Feed.Piece.incomplete(
                    RecordBatch.NO_POSITION,
                    Arrays.copyOfRange(records, records.length - leftOver, records.length),
                    "the message ends after " + leftOver + " of the record's "
                            + ofBytes.schema().baseLength() + " bytes"));
        }
    }

    /** Rejects bytes that are not complete records. */
    public void rejectPieces(List<Feed.Piece> pieces) {
        lock.lock();
        try {
            pieces.forEach(this::reject);
            rejects.send(RecordBatch.NO_POSITION);
        } finally {
            lock.unlock();
        }
    }

    private void reject(Feed.Piece piece) {
        arrived.add(1);
        rejects.reject(piece);
    }

    @Override
    protected void process(RecordBatch batch) {
        atWork.set(batch.selected());
        arrived.add(batch.selected());
        batches.add(1);
        reading.admission().admit(batch, rejects);
    }
}
