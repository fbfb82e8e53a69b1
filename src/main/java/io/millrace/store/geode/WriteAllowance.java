package io.millrace.store.geode;

import io.millrace.store.BlockKey;
import java.util.concurrent.TimeUnit;

/**
 * How much may be written to a region of limited size until it is swept. The bound so holds however fast records come,
 * and however late the thread that sweeps gets a processor: writers wait for the sweep, or run it themselves.
 *
 * <p>A sweep leaves writers what the region lacks to its bound and a sixteenth of that, at least {@value #BLOCKS_MIN}
 * blocks: the newest blocks of each writer stay, so that a sweep may find nothing to remove. The next sweep is
 * requested once half of the sixteenth is written. Thread-safe.
 */
final class WriteAllowance {

    /** A region is larger than its bound by one part in so many at most. */
    static final int EXCESS_PARTS = 16;

    /** Blocks that may be written after each sweep. */
    static final int BLOCKS_MIN = BlockKey.MAX_IN_FLIGHT;

    private final Runnable sweepSoon;
    private long bytes;
    private long blocks;
    private long bytesMax;
    private long blocksMax = BLOCKS_MIN;
    private long excess;
    private boolean requested;

    /**
     * What had been written at some moment.
     *
     * @param bytes of all blocks since the region was opened
     * @param blocks how many these were
     */
    record Written(long bytes, long blocks) {}

    /**
     * The allowance of a region that was not swept yet.
     *
     * @param bound bytes of the region
     * @param sweepSoon requests a sweep, without waiting for it
     */
    WriteAllowance(long bound, Runnable sweepSoon) {
        this.sweepSoon = sweepSoon;
        excess = bound / EXCESS_PARTS;
        bytesMax = excess;
    }

    /** Counts a block that is about to be written; returns false, and does not count it, if a sweep must come first. */
    boolean take(int length) {
        boolean taken;
        boolean request;
        synchronized (this) {
            taken = fits(length);
            if (taken) {
                count(length);
            }
            request = !requested && (!taken || bytes > bytesMax - excess / 2);
            requested |= request;
        }
        if (request) {
            sweepSoon.run();
        }
        return taken;
    }

    /**
     * Counts a block that is about to be written, once a sweep allows it; returns false, and does not count it, if none
     * does within some time, or the thread is interrupted.
     */
    boolean await(int length, long timeoutNanos) {
        return take(length) || awaitSweep(length, System.nanoTime() + timeoutNanos);
    }

    private synchronized boolean awaitSweep(int length, long deadlineNanos) {
        try {
            while (!fits(length)) {
                long millis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
                if (millis <= 0) {
                    return false;
                }
                wait(millis);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        count(length);
        return true;
    }

    private boolean fits(int length) {
        return bytes + length <= bytesMax || blocks < blocksMax;
    }

    private void count(int length) {
        bytes += length;
        blocks++;
    }

    /** Returns what has been written so far; to be called as a sweep begins. */
    synchronized Written begin() {
        requested = false;
        return new Written(bytes, blocks);
    }

    /**
     * Renews the allowance after a sweep.
     *
     * @param before what had been written as it began: what came since may be part of the bytes or not
     * @param bound bytes that the part of the region on this member may have
     * @param left bytes that it has
     */
    synchronized void renew(Written before, long bound, long left) {
        excess = bound / EXCESS_PARTS;
        bytesMax = before.bytes() + Math.max(bound - left, 0) + excess;
        blocksMax = before.blocks() + BLOCKS_MIN;
        notifyAll();
    }
}
