package io.millrace.feed.tcp;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of one connection into records, however they arrive, and keeps the beginning of a frame whose rest is
 * still to come. Whole frames go straight from the network's buffer to the batch and are moved together there; only a
 * frame that lies in two buffers is put together first.
 *
 * <p>Not thread-safe. Allocates for pieces, and to hold a beginning that is longer than those before it, or than
 * {@value #RETAINED_MAX} bytes.
 */
final class FrameReader {

    /** Frames are searched for in stretches of so many bytes, so that little is copied in vain. */
    private static final int STRETCH = 16 * 1024;

    /** Of a frame that is too long this much is kept with its reject. */
    private static final int MOST_OF_WRONG = 256;

    /** Memory of a longer beginning is given back once its frame is whole. */
    private static final int RETAINED_MAX = 4 * 1024;

    private static final byte[] NONE = {};

    private final Framer framer;
    private final long longest;
    private final boolean backToBack;
    private final Object peer;
    private final Sender sender;
    private final IncompleteRecords incompleteRecords;
    private byte[] partial = NONE;
    private int partialLength;
    private int searched;
    private @Nullable CloseReason wrong;

    /**
     * @param longestRecord in bytes; a longer one ends reading
     * @param peer shown by its {@code toString} in what is said of pieces
     * @param sender whose memory a beginning takes
     */
    FrameReader(Framer framer, int longestRecord, Object peer, Sender sender, IncompleteRecords incompleteRecords) {
        this.framer = framer;
        this.longest = (long) framer.head() + longestRecord + framer.tail();
        this.backToBack = framer instanceof FixedLengthFramer;
        this.peer = peer;
        this.sender = sender;
        this.incompleteRecords = incompleteRecords;
    }

    /** Why nothing can be read any more, or null: where one frame is wrong, all behind it would be. */
    @Nullable
    CloseReason wrong() {
        return wrong;
    }

    /**
     * Takes frames until the buffer holds no more whole one, and keeps the rest then; or until the batch is full, or so
     * many were taken, or one is {@linkplain #wrong() wrong}.
     *
     * @return how many frames were taken, rejected ones among them
     */
    int read(ByteBuf from, BatchBuffer into, int most) {
        int taken = 0;
        while (taken < most && wrong == null && from.isReadable() && !into.full()) {
            if (partialLength > 0 && into.room() < longest) {
                into.crowd();
            } else if (partialLength > 0) {
                taken += complete(from, into);
            } else if (backToBack && into.recordLength() > 0) {
                taken += copyRecords(from, into, most - taken);
            } else {
                taken += cut(from, into, most - taken);
            }
        }
        return taken;
    }

    /** Rejects the beginning of a frame whose rest will never come. */
    void end(BatchBuffer into) {
        if (partialLength > 0 && wrong == null) {
            int from = partialLength >= framer.head() ? framer.head() : 0;
            String cut = framer.describeCut(partial, partialLength);
            into.reject(partial, from, partialLength - from, "connection from " + peer + " ended " + cut);
            forget();
        }
    }

    private int copyRecords(ByteBuf from, BatchBuffer into, int most) {
        int length = into.recordLength();
        int records = Math.min(from.readableBytes() / length, Math.min(most, into.vacant()));
        if (records > 0) {
            into.addAll(from, records);
        } else {
            keep(from, from.readableBytes(), into);
        }
        return records;
    }

    /** Copies a stretch to the batch's free part and takes the frames from there. */
    private int cut(ByteBuf from, BatchBuffer into, int most) {
        int stretch = Math.min(Math.min(from.readableBytes(), STRETCH), into.room());
        if (stretch == 0) {
            into.crowd();
            return 0;
        }
        byte[] bytes = into.bytes();
        int at = into.end();
        int to = at + stretch;
        from.getBytes(from.readerIndex(), bytes, at, stretch);
        int start = at;
        int taken = 0;
        while (taken < most && into.vacant() > 0) {
            long length = framer.frameLength(bytes, at, to, 0);
            if (!allowed(length, bytes, at, to - at, into)) {
                break;
            }
            if (length > to - at) {
                from.skipBytes(at - start);
                keep(from, to - at, into);
                return taken;
            }
            take(bytes, at, (int) length, into);
            at += (int) length;
            taken++;
        }
        from.skipBytes(at - start);
        return taken;
    }

    /** Adds to the beginning that was kept until its frame is whole. */
    private int complete(ByteBuf from, BatchBuffer into) {
        while (true) {
            long length = framer.frameLength(partial, 0, partialLength, searched);
            if (!allowed(length, partial, 0, partialLength, into)) {
                return 0;
            }
            if (length <= partialLength) {
                // What was read ahead beyond the frame came from this buffer.
                from.readerIndex(from.readerIndex() - (partialLength - (int) length));
                take(partial, 0, (int) length, into);
                forget();
                return 1;
            }
            searched = partialLength;
            if (!from.isReadable()) {
                return 0;
            }
            int more = (int) Math.min(from.readableBytes(), Math.max(length - partialLength, framer.readAhead()));
            if (!keep(from, more, into)) {
                return 0;
            }
        }
    }

    private void take(byte[] bytes, int at, int length, BatchBuffer into) {
        int record = at + framer.head();
        int recordLength = length - framer.head() - framer.tail();
        if (into.recordLength() == 0 || into.recordLength() == recordLength) {
            into.add(bytes, record, recordLength);
        } else {
            into.reject(
                    bytes,
                    record,
                    recordLength,
                    "connection from " + peer + " sent a record of " + recordLength + " bytes, where all have "
                            + into.recordLength());
        }
    }

    private boolean allowed(long length, byte[] bytes, int at, int have, BatchBuffer into) {
        if (length != Framer.WRONG && length <= longest) {
            return true;
        }
        wrong = length == Framer.WRONG ? CloseReason.WRONG_LENGTH : CloseReason.TOO_LONG;
        String what = length == Framer.WRONG
                ? "a length that is less than its own bytes"
                : "a record longer than the " + (longest - framer.head() - framer.tail()) + " bytes allowed";
        into.reject(bytes, at, Math.min(have, MOST_OF_WRONG), "connection from " + peer + " sent " + what);
        forget();
        return false;
    }

    private boolean keep(ByteBuf from, int length, BatchBuffer into) {
        int needed = partialLength + length;
        if (partial.length < needed) {
            int capacity = (int) Math.max(needed, Math.min(2L * partial.length, longest));
            if (!incompleteRecords.admit(sender, capacity - partial.length)) {
                rejectIncomplete(from, length, into);
                return false;
            }
            partial = Arrays.copyOf(partial, capacity);
        }
        from.readBytes(partial, partialLength, length);
        partialLength = needed;
        return true;
    }

    private void rejectIncomplete(ByteBuf from, int length, BatchBuffer into) {
        wrong = CloseReason.TOO_MUCH_INCOMPLETE;
        byte[] shown = Arrays.copyOf(partial, Math.min(partialLength + length, MOST_OF_WRONG));
        if (partialLength < shown.length) {
            from.getBytes(from.readerIndex(), shown, partialLength, shown.length - partialLength);
        }
        into.reject(
                shown,
                0,
                shown.length,
                "connection from " + peer + " sent the beginning of a record, and the incomplete records of its"
                        + " address take all the memory that they may");
        forget();
    }

    /** Gives back the memory of a beginning. Nothing may be read afterwards. */
    void close() {
        partialLength = 0;
        release();
    }

    private void forget() {
        partialLength = 0;
        searched = 0;
        if (partial.length > RETAINED_MAX) {
            release();
        }
    }

    private void release() {
        incompleteRecords.release(sender, partial.length);
        partial = NONE;
    }
}
