package io.millrace.store.geode.region;

import io.millrace.store.region.BlockKey;
import java.util.concurrent.TimeUnit;

/**
 * The bytes and blocks that may be written to a region of limited size until the next expiry run. It enforces the limit
 * independent of the rate of records and of delays of the expiry thread: writers wait for expiry, or run it themselves.
 *
 * <p>After an expiry run, writers may use the free capacity of the region and a sixteenth of its limit, and write at
 * least {@value #BLOCKS_MIN} blocks: the newest blocks of each writer stay, so expiry may find nothing to remove. The
 * next run is requested once half of the sixteenth is written. Thread-safe.
 */
public final class WriteAllowance {

    /** The maximum excess of a region over its limit is the limit divided by this number. */
    static final int EXCESS_PARTS = 16;

    /** Blocks that may be written after each expiry run. */
    static final int BLOCKS_MIN = BlockKey.MAX_IN_FLIGHT;

    private final Runnable requestExpiry;
    private long bytes;
    private long blocks;
    private long bytesMax;
    private long blocksMax = BLOCKS_MIN;
    private long excess;
    private boolean requested;

    /**
     * The totals written up to some moment.
     *
     * @param bytes of all blocks since the region was opened
     * @param blocks number of these blocks
     */
    public record Written(long bytes, long blocks) {}

    /**
     * The allowance of a region before its first expiry run.
     *
     * @param bound maximum size of the region in bytes
     * @param requestExpiry requests an expiry run, without waiting for it
     */
    public WriteAllowance(long bound, Runnable requestExpiry) {
        this.requestExpiry = requestExpiry;
        excess = bound / EXCESS_PARTS;
        bytesMax = excess;
    }

    /** Counts a block to be written; returns false, and does not count it, if expiry must run first. */
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
            requestExpiry.run();
        }
        return taken;
    }

    /**
     * Counts a block to be written, once expiry allows it; returns false, and does not count it, if that does not
     * happen within the timeout, or the thread is interrupted.
     */
    public boolean await(int length, long timeoutNanos) {
        return take(length) || awaitExpiry(length, System.nanoTime() + timeoutNanos);
    }

    private synchronized boolean awaitExpiry(int length, long deadlineNanos) {
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

    /** Returns the totals written so far; must be called when an expiry run begins. */
    public synchronized Written begin() {
        requested = false;
        return new Written(bytes, blocks);
    }

    /**
     * Renews the allowance after an expiry run.
     *
     * @param before totals when the run began; later writes may be part of the stored bytes or not
     * @param bound maximum size in bytes of the part of the region on this member
     * @param storedBytes size of that part
     */
    public synchronized void renew(Written before, long bound, long storedBytes) {
        excess = bound / EXCESS_PARTS;
        bytesMax = before.bytes() + Math.max(bound - storedBytes, 0) + excess;
        blocksMax = before.blocks() + BLOCKS_MIN;
        notifyAll();
    }
}
