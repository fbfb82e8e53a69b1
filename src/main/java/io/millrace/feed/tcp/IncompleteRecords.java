package io.millrace.feed.tcp;

import io.millrace.feed.FairShare;

/**
 * Bounds the memory of incomplete records, whose beginning is kept until the rest comes: all together by a number of
 * bytes, and those of one sender by a {@linkplain FairShare share} of what the others leave free. The pipeline's thread
 * only.
 */
final class IncompleteRecords {

    private final long capacity;
    private final FairShare share;
    private long held;

    IncompleteRecords(TcpLimits limits) {
        this.capacity = limits.buffer();
        this.share = limits.sharePerAddress();
    }

    /** Counts memory that a sender's record takes in addition, unless it is too much: false then. */
    boolean admit(Sender sender, int bytes) {
        if (!share.admits(capacity, held, sender.incomplete(), bytes)) {
            return false;
        }
        add(sender, bytes);
        return true;
    }

    /** Counts memory that is free again. */
    void release(Sender sender, int bytes) {
        add(sender, -bytes);
    }

    private void add(Sender sender, int bytes) {
        held += bytes;
        sender.addIncomplete(bytes);
    }
}
