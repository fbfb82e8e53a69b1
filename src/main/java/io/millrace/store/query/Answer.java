package io.millrace.store.query;

import io.millrace.store.error.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a query. Rows are fetched on demand, by one partial scan of the region at a time: without a call,
 * nothing runs on any member, and memory holds no more than the result of one partial scan.
 *
 * <p>One thread at a time takes rows; any thread may concurrently {@linkplain #close close} the answer or read its
 * counts.
 */
@API(status = API.Status.STABLE)
public abstract class Answer<T> implements AutoCloseable {

    private final String region;
    private final OnError onError;
    private final Duration timeout;
    private volatile long nanos;
    private volatile ScanCounts counts = ScanCounts.NONE;
    private volatile boolean closed;

    /**
     * @param onError what to do with records without a result
     * @param timeout maximum time for fetching rows
     * @param nanos time spent so far
     */
    public Answer(String region, OnError onError, Duration timeout, long nanos) {
        this.region = region;
        this.onError = onError;
        this.timeout = timeout;
        this.nanos = nanos;
    }

    /**
     * Returns the next row, or null if there are no more. May block while members scan for it.
     *
     * @throws QueryTimeoutException if fetching took too long
     * @throws IncompleteAnswerException if an expression has no result for a record, unless the query skips such
     *     records
     * @throws StoreException if a stored value is corrupt, a member can't answer, or this answer was closed
     */
    public abstract @Nullable T next();

    /** Returns the counts of records scanned so far. */
    public final ScanCounts counts() {
        return counts;
    }

    /** Returns the time spent on fetching rows so far, in nanoseconds; time between calls does not count. */
    public final long nanos() {
        return nanos;
    }

    /** Returns all rows from the next one on; closing the stream closes this answer. */
    public final Stream<T> stream() {
        Spliterator<T> rows = new AbstractSpliterator<>(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL) {
            @Override
            public boolean tryAdvance(Consumer<? super T> action) {
                T row = next();
                if (row == null) {
                    return false;
                }
                action.accept(row);
                return true;
            }
        };
        return StreamSupport.stream(rows, false).onClose(this::close);
    }

    /** Runs the next partial scan. */
    @API(status = API.Status.INTERNAL)
    protected final <P> List<P> look(PartSource<P> source, long limit) {
        if (closed) {
            throw new StoreException("The answer of region '" + region + "' is closed.");
        }
        long leftNanos = timeout.toNanos() - nanos;
        if (leftNanos <= 0) {
            throw new QueryTimeoutException(region, timeout, counts);
        }
        long start = System.nanoTime();
        List<P> parts = source.next(limit, leftNanos);
        passed(start);
        return parts;
    }

    /** Adds the time since {@code start}. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time takes rows
    protected final void passed(long start) {
        nanos += System.nanoTime() - start;
    }

    protected final void count(ScanCounts more) {
        counts = counts.plus(more);
    }

    protected final void countFailed(long records, @Nullable String why) {
        counts = counts.plusFailed(records, why);
    }

    /**
     * Throws an exception if records failed that the query does not skip.
     *
     * @param complete whether all records were scanned, so that no more can fail
     */
    @API(status = API.Status.INTERNAL)
    protected final void requireResults(boolean complete) {
        if (onError == OnError.FAIL && counts.failed() > 0) {
            throw new IncompleteAnswerException(region, counts, complete);
        }
    }

    /** Ends the scan, at the latest after the current partial scan. */
    @Override
    public final void close() {
        closed = true;
    }
}
