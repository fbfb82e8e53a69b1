package io.millrace.pipeline.run;

import io.millrace.background.DurationText;
import io.millrace.codec.ContentException;
import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedChangedException;
import io.millrace.feed.FeedMeter;
import io.millrace.feed.Player;
import io.millrace.pipeline.step.Backoff;
import io.millrace.pipeline.step.Failures;
import io.millrace.pipeline.step.Pauses;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A feed that is closed and opened again, after growing pauses, if its source can't be read: the server of a file
 * restarts, a disk reports an error, another process has the port. It continues at the end of the last batch, so no
 * record is missing or read twice. If the pipeline stops or restarts, the retries end and the failure is thrown.
 *
 * <p>What a retry can't change fails at once: a source that has {@linkplain FeedChangedException changed}, is
 * {@linkplain EOFException shorter} than the position, or has {@linkplain ContentException invalid content}.
 *
 * <p>One thread opens, polls and closes the feed; {@link #failure()} and the metrics are thread-safe.
 */
public final class RetryingFeed implements Feed {

    private static final Logger LOG = LoggerFactory.getLogger(RetryingFeed.class);

    private final String pipeline;
    private final Feed source;
    private final Pauses pauses;
    private final @Nullable Duration timeout;
    private final Counter failures = new Counter();
    private final Backoff backoff = new Backoff();
    private volatile @Nullable String failure;
    /** Whether the source is closed until the next attempt. */
    private boolean closed;

    private long failingSinceNanos;
    private long nextAttemptNanos;
    private long position;
    private long failedPosition;
    private long piecePosition;
    /** The last known identity of the source. */
    private String identity = "";

    /** @param timeout time after which a failure is thrown if the source can't be read; null for never */
    public RetryingFeed(String pipeline, Feed source, Pauses pauses, @Nullable Duration timeout) {
        this.pipeline = pipeline;
        this.source = source;
        this.pauses = pauses;
        this.timeout = timeout;
    }

    /** Returns the feed that is opened and read. */
    public Feed source() {
        return source;
    }

    /** Returns why the source can't be read, or null if it can. */
    public @Nullable String failure() {
        return failure;
    }

    /** Returns the number of failed attempts to open or read the source. */
    public Counter failures() {
        return failures;
    }

    private interface Action<T> {
        T run() throws IOException;
    }

    /** Runs an action until the source can be read. */
    private <T> T retry(Action<T> action) throws IOException {
        while (true) {
            try {
                return action.run();
            } catch (IOException e) {
                fail(e);
                if (pauses.pause(untilNextAttempt())) {
                    throw e;
                }
            }
        }
    }

    /**
     * Closes the source until the next attempt. Throws failures that a retry can't change, and those after the timeout.
     */
    private void fail(IOException e) throws IOException {
        if (e instanceof FeedChangedException || e instanceof EOFException || e instanceof ContentException) {
            throw e;
        }
        failures.add(1);
        long now = pauses.nanoTime();
        if (failure == null) {
            failingSinceNanos = now;
        } else if (timeout != null && now - failingSinceNanos >= timeout.toNanos()) {
            throw new IOException(
                    "The feed can't be read for " + DurationText.of(timeout) + ", 'millrace.feed-retry-timeout'", e);
        }
        Duration pause = backoff.next();
        nextAttemptNanos = now + pause.toNanos();
        failedPosition = position;
        failure = Failures.describe(e);
        LOG.warn(
                "Feed of pipeline {} failed, opening it again: position={} delay={}ms reason={}",
                pipeline,
                position,
                pause.toMillis(),
                failure);
        closed = true;
        try {
            source.close();
        } catch (IOException notClosed) {
            LOG.debug("Feed of pipeline {} was not closed: reason={}", pipeline, notClosed.getMessage());
        }
    }

    private void recover() {
        LOG.info("Feed of pipeline {} continues: position={}", pipeline, position);
        failure = null;
        backoff.reset();
    }

    @Override
    public void open(long startPosition) throws IOException {
        position = startPosition;
        piecePosition = Long.MIN_VALUE;
        retry(() -> {
            openAgain();
            return true;
        });
    }

    private void openAgain() throws IOException {
        if (closed && !identity.isEmpty()) {
            source.verify(identity);
        }
        source.open(position);
        closed = false;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Returns without records once when the source fails, so that earlier ones are stored. Then it waits until a
     * source with positions can be read: no time passes for idle timeouts meanwhile, because records may be there.
     */
    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) throws IOException {
        if (closed && source.replayable()) {
            if (pauses.pause(untilNextAttempt())) {
                throw new IOException(failure);
            }
            return retry(() -> read(batch, maxWait));
        }
        if (closed && !isDue(maxWait)) {
            return Poll.NOTHING_YET;
        }
        try {
            return read(batch, maxWait);
        } catch (IOException e) {
            fail(e);
            return Poll.NOTHING_YET;
        }
    }

    /** Waits for the next attempt, but not longer than a time. Returns whether it is due. */
    private boolean isDue(Duration maxWait) {
        Duration wait = untilNextAttempt();
        boolean due = wait.compareTo(maxWait) <= 0;
        return !pauses.pause(due ? wait : maxWait) && due;
    }

    private Duration untilNextAttempt() {
        return Duration.ofNanos(Math.max(0, nextAttemptNanos - pauses.nanoTime()));
    }

    private Poll read(RecordBatch batch, Duration maxWait) throws IOException {
        if (closed) {
            openAgain();
        }
        Poll poll = source.poll(batch, maxWait);
        boolean moved = poll.covers() && source.replayable();
        if (moved) {
            position = batch.to();
        }
        if (failure != null && (!moved || position > failedPosition)) {
            recover();
        }
        return poll;
    }

    @Override
    public boolean wake() {
        return source.wake();
    }

    /** Leaves out pieces that were returned before the source was opened again. */
    @Override
    public @Nullable Piece takePiece() {
        Piece piece = source.takePiece();
        while (piece != null && piece.position() != RecordBatch.NO_POSITION && piece.position() <= piecePosition) {
            piece = source.takePiece();
        }
        if (piece != null && piece.position() != RecordBatch.NO_POSITION) {
            piecePosition = piece.position();
        }
        return piece;
    }

    /**
     * {@inheritDoc}
     *
     * <p>After a batch that could not be processed, the position is that of the batch before. A source that is opened
     * again is opened there, because it identifies nothing before the position at which it was opened.
     */
    @Override
    public String identity(long readPosition) throws IOException {
        identity = retry(() -> {
            if (closed) {
                position = readPosition;
                openAgain();
            }
            return source.identity(readPosition);
        });
        if (failure != null) {
            recover();
        }
        return identity;
    }

    @Override
    public void verify(String before) throws IOException {
        retry(() -> {
            source.verify(before);
            return true;
        });
        identity = before;
    }

    @Override
    public void stored() {
        if (!closed) {
            source.stored();
        }
    }

    @Override
    public boolean answers() {
        return source.answers();
    }

    @Override
    public Map<String, Counter> counts() {
        return source.counts();
    }

    @Override
    public List<FeedMeter> meters() {
        return source.meters();
    }

    @Override
    public @Nullable Player player() {
        return source.player();
    }

    @Override
    public long taken(long readPosition) {
        return source.taken(readPosition);
    }

    @Override
    public long extent() {
        return source.extent();
    }

    @Override
    public boolean addsSplits() {
        return source.addsSplits();
    }

    @Override
    public boolean absent() {
        return source.absent();
    }

    @Override
    public long lag() {
        return source.lag();
    }

    @Override
    public long age() {
        return source.age();
    }

    @Override
    public boolean replayable() {
        return source.replayable();
    }

    @Override
    public void close() throws IOException {
        identity = "";
        failure = null;
        backoff.reset();
        if (closed) {
            closed = false;
        } else {
            source.close();
        }
    }
}
