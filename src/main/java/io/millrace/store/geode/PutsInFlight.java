package io.millrace.store.geode;

import io.millrace.codec.Counter;
import io.millrace.store.StoreException;
import io.millrace.store.SupersededException;
import io.millrace.store.Term;
import io.millrace.store.WriterCounters;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.FutureTask;

/**
 * Puts of one writer's blocks that are under way, oldest first. They may end in any order; they are settled in the
 * order of the blocks, so that the position that the feed is covered to has no gap before it. Not thread-safe; its
 * counters are.
 *
 * <p>One that fails stays in its place and is retried by the call after the one that reported it. Its block has the
 * same key and bytes then, so that it makes no difference whether the failed one arrived after all.
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

    /** @param covers the position that the feed is covered to once it and all before it are stored */
    private record Block(long key, byte[] value, int records, long covers, Term term) {}

    /** A block on its way. */
    private static final class Put {
        private final Block block;
        private FutureTask<Long> task;

        private Put(Block block, FutureTask<Long> task) {
            this.block = block;
            this.task = task;
        }
    }

    /**
     * @param executor that makes puts: the caller's own thread, or others
     * @param limit how many may be under way, 1 or more
     * @param covered raised as puts are settled
     */
    PutsInFlight(Values target, PutExecutor executor, int limit, WriterCounters counters, Counter covered) {
        this.target = target;
        this.executor = executor;
        this.limit = limit;
        this.counters = counters;
        this.covered = covered;
    }

    /** Records in blocks that are not settled. */
    int records() {
        return records;
    }

    /**
     * Settles what is done, without waiting; after a failure that was reported, retries what failed.
     *
     * @throws StoreException where one failed: call again
     */
    void settle() {
        awaitFewerThan(Integer.MAX_VALUE);
    }

    /**
     * Waits until one more may be put.
     *
     * @throws StoreException where one that is under way failed: call again
     */
    void awaitRoom() {
        awaitFewerThan(limit);
    }

    /**
     * Waits until all are settled.
     *
     * @throws StoreException where one failed: call again
     */
    void awaitAll() {
        awaitFewerThan(1);
    }

    /**
     * Puts a block after {@linkplain #awaitRoom waiting} for room.
     *
     * @throws StoreException where it, or one before it, failed: it is under way nevertheless
     */
    void put(long key, byte[] value, int howMany, long covers, Term term) {
        Block block = new Block(key, value, howMany, covers, term);
        puts.add(new Put(block, start(block)));
        records += howMany;
        settleWhile(Integer.MAX_VALUE);
    }

    private FutureTask<Long> start(Block block) {
        FutureTask<Long> task = new FutureTask<>(() -> target.put(block.key(), block.value(), block.term()));
        executor.execute(task);
        return task;
    }

    private void awaitFewerThan(int count) {
        if (failureReported) {
            failureReported = false;
            for (Put put : puts) {
                if (put.task.state() == FutureTask.State.FAILED) {
                    put.task = start(put.block);
                }
            }
        }
        settleWhile(count);
    }

    /** Settles from the oldest on while there are as many as this, and as far as they are done. */
    private void settleWhile(int count) {
        for (Put oldest = puts.peek(); oldest != null && due(oldest, count); oldest = puts.peek()) {
            settle(oldest);
        }
    }

    /** Whether the oldest is to be settled now: it is done, or there are too many. */
    private boolean due(Put oldest, int count) {
        return puts.size() >= count || oldest.task.isDone();
    }

    private void settle(Put oldest) {
        long nanos = nanos(oldest.task);
        Block block = oldest.block;
        puts.remove();
        records -= block.records();
        covered.set(block.covers());
        counters.count(1, block.value().length, nanos);
        counters.kept().add(block.records());
    }

    /** Forgets all that are under way, whatever becomes of them. */
    void abandon() {
        puts.clear();
        records = 0;
        failureReported = false;
    }

    /** Returns what the put took. */
    private long nanos(FutureTask<Long> task) {
        executor.await(task);
        try {
            return task.resultNow();
        } catch (IllegalStateException e) { // it failed
            Throwable cause = Objects.requireNonNull(task.exceptionNow());
            // New exceptions: their traces show who waited.
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
