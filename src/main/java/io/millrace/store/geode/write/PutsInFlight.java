package io.millrace.store.geode.write;

import io.millrace.codec.Counter;
import io.millrace.store.error.StoreException;
import io.millrace.store.error.SupersededException;
import io.millrace.store.geode.region.Values;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterCounters;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;

/**
 * The puts of one writer's blocks in flight, oldest first. They may end in any order; they are settled in the order of
 * the blocks, so that the covered position of the feed has no gap before it. Not thread-safe; its counters are.
 *
 * <p>A failed put stays in its place and is retried by the call after the one that reported it. Its block then has the
 * same key and bytes, so it makes no difference whether the failed put arrives before the retried one. A block with
 * other bytes must not be put under its key later. A put has one thread until it is settled, so that the server ignores
 * a failed put that arrives after the retried one: the block may have expired by then, and would be stored again.
 */
final class PutsInFlight {

    private final Values target;
    private final PutExecutor executor;
    private final int limit;
    private final WriterCounters counters;
    private final Counter covered;
    private final ArrayDeque<Put> puts = new ArrayDeque<>();
    private int records;
    /** Whether the caller knows that puts fail; until then none is retried, so that no failure goes unnoticed. */
    private boolean failureReported;
    /** Key of the newest block whose put failed and was retried, or -1. */
    private long retriedKey = -1;

    /** @param covers position up to which the feed is covered once this block and all before it are stored */
    private record Block(long key, byte[] value, int records, long covers, Term term) {}

    /** A put in flight. */
    private final class Put {
        private final Block block;
        private final Executor thread;
        private FutureTask<Long> task;

        private Put(Block block, Executor thread) {
            this.block = block;
            this.thread = thread;
            task = start();
        }

        private FutureTask<Long> start() {
            FutureTask<Long> attempt = new FutureTask<>(() -> target.put(block.key(), block.value(), block.term()));
            thread.execute(attempt);
            return attempt;
        }
    }

    /**
     * @param executor provides the threads of the puts: the caller's own, or others
     * @param limit maximum number of puts in flight, 1 or more
     * @param covered raised as puts are settled
     */
    PutsInFlight(Values target, PutExecutor executor, int limit, WriterCounters counters, Counter covered) {
        this.target = target;
        this.executor = executor;
        this.limit = limit;
        this.counters = counters;
        this.covered = covered;
    }

    /** Returns the number of records in blocks that are not settled. */
    int records() {
        return records;
    }

    /**
     * Settles completed puts, without waiting; after a reported failure, retries failed puts.
     *
     * @throws StoreException if a put failed: call again
     */
    void settle() {
        awaitFewerThan(Integer.MAX_VALUE);
    }

    /**
     * Waits until one more put may start.
     *
     * @throws StoreException if a put in flight failed: call again
     */
    void awaitRoom() {
        awaitFewerThan(limit);
    }

    /**
     * Waits until all puts are settled.
     *
     * @throws StoreException if a put failed: call again
     */
    void awaitAll() {
        awaitFewerThan(1);
    }

    /**
     * Puts a block after {@linkplain #awaitRoom waiting} for capacity.
     *
     * @throws StoreException if this put or one before it failed: it is in flight nevertheless
     */
    void put(long key, byte[] value, int recordCount, long covers, Term term) {
        Block block = new Block(key, value, recordCount, covers, term);
        puts.add(new Put(block, executor.acquire()));
        records += recordCount;
        settleWhile(Integer.MAX_VALUE);
    }

    private void awaitFewerThan(int count) {
        if (failureReported) {
            failureReported = false;
            for (Put put : puts) {
                if (put.task.state() == FutureTask.State.FAILED) {
                    put.task = put.start();
                    retriedKey = Math.max(retriedKey, put.block.key());
                }
            }
        }
        settleWhile(count);
    }

    /** Settles from the oldest put on, while it is completed or at least {@code count} puts are in flight. */
    private void settleWhile(int count) {
        for (Put oldest = puts.peek(); oldest != null && due(oldest, count); oldest = puts.peek()) {
            settle(oldest);
        }
    }

    /** Returns whether the oldest put must be settled now: it is completed, or too many are in flight. */
    private boolean due(Put oldest, int count) {
        return puts.size() >= count || oldest.task.isDone();
    }

    private void settle(Put oldest) {
        long nanos = nanos(oldest.task);
        Block block = oldest.block;
        puts.remove();
        executor.release(oldest.thread);
        records -= block.records();
        covered.set(block.covers());
        counters.count(1, block.value().length, nanos);
        counters.kept().add(block.records());
    }

    /** Returns whether a put of the newest block failed and was retried: the failed one may still arrive. */
    boolean isRetried(long newestKey) {
        return retriedKey == newestKey;
    }

    /** Discards all puts in flight, whatever their result. Does not release their threads, which may be busy. */
    void abandon() {
        retriedKey = -1;
        puts.clear();
        records = 0;
        failureReported = false;
    }

    /** Returns the duration of the put in nanoseconds. */
    private long nanos(FutureTask<Long> task) {
        executor.await(task);
        try {
            return task.resultNow();
        } catch (IllegalStateException e) { // it failed
            Throwable cause = Objects.requireNonNull(task.exceptionNow());
            // New exceptions: their stack traces show the waiting thread.
            String message = String.valueOf(cause.getMessage());
            if (cause instanceof SupersededException) {
                throw new SupersededException(message, cause);
            }
            failureReported = true;
            if (cause instanceof Error error) {
                throw error; // such as exhausted memory: no retry helps
            }
            throw new StoreException(message, cause);
        }
    }
}
