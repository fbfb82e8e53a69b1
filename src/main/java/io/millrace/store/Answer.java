package io.millrace.store;

import java.time.Duration;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a query. Rows are looked for when they are asked for, a stretch of the region at a time: while nobody
 * asks, nothing runs anywhere, and no more is in memory than what one stretch brought.
 *
 * <p>One thread at a time takes rows; any thread may {@linkplain #close close} it or read its counts meanwhile.
 */
public abstract class Answer<T> implements AutoCloseable {

    private final String region;
    private final Duration timeout;
    private volatile long nanos;
    private volatile ScanCounts counts = ScanCounts.NONE;
    private volatile boolean closed;

    /**
     * @param timeout the longest that looking for rows may take
     * @param nanos time that it took until now
     */
    Answer(String region, Duration timeout, long nanos) {
        this.region = region;
        this.timeout = timeout;
        this.nanos = nanos;
    }

    /**
     * The next row, or null where there are no more. May block while members look for it.
     *
     * @throws QueryTimeoutException where looking took too long
     * @throws StoreException where a stored value is damaged, a member can't answer, or it was closed
     */
    public abstract @Nullable T next();

    /** What was looked at so far. */
    public final ScanCounts counts() {
        return counts;
    }

    /** How long looking took so far, in nanoseconds; while nobody asks for rows, no time passes. */
    public final long nanos() {
        return nanos;
    }

    /** All rows from the next one on; closing it closes this. */
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

    /** Looks at the next stretch. */
    final <P> List<P> look(PartSource<P> source, long limit) {
        if (closed) {
            throw new StoreException("region=" + region + " the answer was closed");
        }
        long left = timeout.toNanos() - nanos;
        if (left <= 0) {
            throw new QueryTimeoutException(region, timeout, counts);
        }
        long start = System.nanoTime();
        List<P> parts = source.next(limit, left);
        passed(start);
        return parts;
    }

    /** Counts the time since then. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time takes rows
    final void passed(long start) {
        nanos += System.nanoTime() - start;
    }

    final void count(ScanCounts more) {
        counts = counts.plus(more);
    }

    final void countFailed(long records, @Nullable String why) {
        counts = counts.plusFailed(records, why);
    }

    /** Ends the looking, at the latest when the stretch that is looked at just now was. */
    @Override
    public final void close() {
        closed = true;
    }
}
