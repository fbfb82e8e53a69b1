package io.millrace.feed.tcp;

import io.millrace.feed.FairShare;

/**
 * Limits the memory of incomplete records, which are buffered until the rest arrives: a number of bytes for all senders
 * together, and a {@linkplain FairShare share} of the free bytes for each sender. Called by the pipeline thread only.
 */
final class IncompleteRecords {

    private final long capacity;
    private final FairShare share;
    private long held;

    /** @param capacity number of bytes for all senders */
    IncompleteRecords(long capacity, FairShare share) {
        this.capacity = capacity;
        this.share = share;
    }

    /** Adds memory to a sender's incomplete records. Returns false, without adding, if a limit would be exceeded. */
    boolean admit(Sender sender, int bytes) {
        if (!share.admits(capacity, held, sender.incomplete(), bytes)) {
            return false;
        }
        add(sender, bytes);
        return true;
    }

    /** Subtracts released memory. */
    void release(Sender sender, int bytes) {
        add(sender, -bytes);
    }

    private void add(Sender sender, int bytes) {
        held += bytes;
        sender.addIncomplete(bytes);
    }
}
