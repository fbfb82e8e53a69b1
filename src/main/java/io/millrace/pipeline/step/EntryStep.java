package io.millrace.pipeline.step;

import io.millrace.codec.Admission;
import io.millrace.codec.Counter;
import io.millrace.codec.FixedFramer;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordValidator;
import io.millrace.codec.tagged.TaggedFinder;
import io.millrace.feed.Feed;
import io.millrace.schema.Schema;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.GenericMessage;

/**
 * A pipeline's first endpoint: takes batches of its feed, and plain {@code byte[]} payloads that anyone sends; admits
 * only records whose every value is one. One message is worked at a time, whoever sends it; one that a listener sends
 * back from inside a batch is refused with an {@link IllegalStateException}, as is one that comes after the pipeline
 * has ended.
 */
public final class EntryStep extends BatchStep {

    private static final String STARTING = "it has not started yet";

    /** The longest that a sender waits for the start. */
    private static final Duration LONGEST_START = Duration.ofSeconds(30);

    private final @Nullable FixedFramer framer;
    private final Admission admission;
    private final RejectCollector rejects;
    private final ReentrantLock lock;
    private final RecordBatch ofPayload;
    private final Counter arrived = new Counter();
    private final Counter batches = new Counter();
    private final Counter atWork = new Counter();
    private @Nullable String closed = STARTING;
    private final Condition started;
    private boolean working;

    /**
     * @param schema of the records, with the fields that steps add
     * @param lock held while a message is worked: what else touches the pipeline's writers holds it too
     */
    public EntryStep(String name, Schema schema, RejectCollector rejects, ReentrantLock lock) {
        super(name, "in");
        this.framer = schema.tagged() == null ? FixedFramer.of(schema) : null;
        this.admission = schema.tagged() == null ? RecordValidator.of(schema.base()) : TaggedFinder.of(schema);
        this.rejects = rejects;
        this.lock = lock;
        this.started = lock.newCondition();
        this.ofPayload = new RecordBatch(schema);
    }

    /** Records that came in, and pieces of records, since the step was made. */
    public Counter arrived() {
        return arrived;
    }

    @Override
    protected void handleMessageInternal(Message<?> message) {
        lock.lock();
        try {
            requireReady();
            working = true;
            try {
                if (message.getPayload() instanceof byte[] bytes) {
                    takeBytes(bytes, message);
                } else {
                    super.handleMessageInternal(message);
                }
                atWork.set(0);
            } finally {
                rejects.send(RecordBatch.NO_POSITION);
                working = false;
            }
        } finally {
            lock.unlock();
        }
    }

    private void requireReady() {
        awaitStart();
        if (closed != null) {
            throw new IllegalStateException(counters().name() + " takes no more records: " + closed);
        }
        if (working) {
            throw new IllegalStateException(counters().name() + " is at work on the batch that brought this message:"
                    + " send from another thread, or over a channel with a queue");
        }
    }

    /** A sender waits at the start until the pipeline's thread has opened the regions. */
    @SuppressWarnings("ReferenceEquality") // of the one constant
    private void awaitStart() {
        long nanos = LONGEST_START.toNanos();
        boolean interrupted = false;
        while (closed == STARTING && nanos > 0 && !interrupted) {
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

    /** Takes messages from now on. */
    public void open() {
        lock.lock();
        try {
            closed = null;
            atWork.set(0);
            started.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Refuses all messages from now on: what is sent after the last flush would be lost without a word. Any thread may
     * call; returns once no message is being worked.
     *
     * @param why the reason that senders get
     */
    public void close(String why) {
        lock.lock();
        try {
            closed = why;
            started.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Batches that came in since the step was made. */
    public Counter batches() {
        return batches;
    }

    /**
     * Records of the batch that is being worked; of one that failed until the next comes, since nobody knows how far it
     * got.
     */
    public Counter atWork() {
        return atWork;
    }

    private void takeBytes(byte[] bytes, Message<?> message) {
        // The caller keeps its array, but steps may set fields in place.
        byte[] own = bytes.clone();
        if (framer == null) {
            // Nothing but a length says where such a record ends: the payload is one.
            ofPayload.fill(own, new int[] {0, own.length}, 1, RecordBatch.NO_POSITION);
            super.handleMessageInternal(new GenericMessage<>(ofPayload, message.getHeaders()));
            return;
        }
        int leftOver = framer.frame(ofPayload, own, 0, own.length, RecordBatch.NO_POSITION);
        if (ofPayload.count() > 0) {
            super.handleMessageInternal(new GenericMessage<>(ofPayload, message.getHeaders()));
        }
        if (leftOver > 0) {
            reject(new Feed.Piece(
                    RecordBatch.NO_POSITION,
                    Arrays.copyOfRange(own, own.length - leftOver, own.length),
                    "the message ends after " + leftOver + " of the record's " + framer.recordLength() + " bytes"));
        }
    }

    /** Rejects bytes that are no whole records. */
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
        admission.admit(batch, rejects);
    }
}
