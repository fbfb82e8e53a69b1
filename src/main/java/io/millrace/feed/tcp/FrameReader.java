package io.millrace.feed.tcp;

import io.millrace.codec.frame.FixedFramer;
import io.millrace.codec.frame.Framer;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Splits the bytes of one connection into records and buffers an incomplete frame until the rest arrives. Complete
 * frames are copied from the network's buffer directly to the batch; only a frame that spans two buffers is assembled
 * in a separate array first.
 *
 * <p>Not thread-safe. Allocates for pieces, and for an incomplete frame that is longer than those before it or longer
 * than {@value #RETAINED_MAX} bytes.
 */
final class FrameReader {

    /** Number of bytes copied and searched at a time, which limits the bytes copied in vain. */
    private static final int SEARCH_BYTES = 16 * 1024;

    /** Maximum number of bytes of an invalid frame that its reject contains. */
    private static final int REJECT_BYTES_MAX = 256;

    /** Largest array that is retained after an incomplete frame was completed, in bytes. */
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
     * @param longestRecord maximum record length in bytes; a longer one ends reading
     * @param peer shown by its {@code toString} in the details of pieces
     * @param sender that the memory of incomplete frames is charged to
     */
    FrameReader(Framer framer, int longestRecord, Object peer, Sender sender, IncompleteRecords incompleteRecords) {
        this.framer = framer;
        this.longest = (long) framer.head() + longestRecord + framer.tail();
        this.backToBack = framer instanceof FixedFramer;
        this.peer = peer;
        this.sender = sender;
        this.incompleteRecords = incompleteRecords;
    }

    /** Returns the reason why reading has ended, or null: after an invalid frame the next frame cannot be located. */
    @Nullable
    CloseReason wrong() {
        return wrong;
    }

    /**
     * Reads frames until the buffer holds no complete one, the batch is full, the limit is reached, or a frame is
     * {@linkplain #wrong() invalid}. Copies a remaining incomplete frame.
     *
     * @param maxFrames maximum number of frames
     * @return the number of frames read, including rejected ones
     */
    int read(ByteBuf source, BatchBuffer into, int maxFrames) {
        int taken = 0;
        while (taken < maxFrames && wrong == null && source.isReadable() && !into.full()) {
            if (partialLength > 0 && into.room() < longest) {
                into.crowd();
            } else if (partialLength > 0) {
                taken += complete(source, into);
            } else if (backToBack && into.recordLength() > 0) {
                taken += copyRecords(source, into, maxFrames - taken);
            } else {
                taken += cut(source, into, maxFrames - taken);
            }
        }
        return taken;
    }

    /** Rejects an incomplete frame whose rest will not arrive. */
    void end(BatchBuffer into) {
        if (partialLength > 0 && wrong == null) {
            int recordStart = partialLength >= framer.head() ? framer.head() : 0;
            String cut = framer.describeCut(partial, partialLength);
            into.reject(
                    partial,
                    recordStart,
                    partialLength - recordStart,
                    "Truncated record from " + peer + ": the connection ended " + cut + ".");
            forget();
        }
    }

    private int copyRecords(ByteBuf source, BatchBuffer into, int maxRecords) {
        int length = into.recordLength();
        int records = Math.min(source.readableBytes() / length, Math.min(maxRecords, into.vacant()));
        if (records > 0) {
            into.addAll(source, records);
        } else {
            keep(source, source.readableBytes(), into);
        }
        return records;
    }

    /** Copies bytes to the free part of the batch and reads frames there. */
    private int cut(ByteBuf source, BatchBuffer into, int maxFrames) {
        int searchLength = Math.min(Math.min(source.readableBytes(), SEARCH_BYTES), into.room());
        if (searchLength == 0) {
            into.crowd();
            return 0;
        }
        byte[] bytes = into.bytes();
        int at = into.end();
        int end = at + searchLength;
        source.getBytes(source.readerIndex(), bytes, at, searchLength);
        int start = at;
        int taken = 0;
        while (taken < maxFrames && into.vacant() > 0) {
            long length = framer.frameLength(bytes, at, end, 0);
            if (!allowed(length, bytes, at, end - at, into)) {
                break;
            }
            if (length > end - at) {
                source.skipBytes(at - start);
                keep(source, end - at, into);
                return taken;
            }
            take(bytes, at, (int) length, into, true);
            at += (int) length;
            taken++;
        }
        source.skipBytes(at - start);
        return taken;
    }

    /** Extends the incomplete frame until it is complete. */
    private int complete(ByteBuf source, BatchBuffer into) {
        while (true) {
            long length = framer.frameLength(partial, 0, partialLength, searched);
            if (!allowed(length, partial, 0, partialLength, into)) {
                return 0;
            }
            if (length <= partialLength) {
                // Bytes read ahead past the frame came from this buffer.
                source.readerIndex(source.readerIndex() - (partialLength - (int) length));
                take(partial, 0, (int) length, into, false);
                forget();
                return 1;
            }
            searched = partialLength;
            if (!source.isReadable()) {
                return 0;
            }
            int more = (int) Math.min(source.readableBytes(), Math.max(length - partialLength, framer.readAhead()));
            if (!keep(source, more, into)) {
                return 0;
            }
        }
    }

    /** @param free whether the frame is in the free part of the batch */
    private void take(byte[] bytes, int at, int length, BatchBuffer into, boolean free) {
        int recordStart = at + framer.head();
        int recordLength = length - framer.head() - framer.tail();
        if (into.recordLength() == 0 || into.recordLength() == recordLength) {
            if (free) {
                into.addFree(recordStart, recordLength);
            } else {
                into.add(bytes, recordStart, recordLength);
            }
        } else {
            into.reject(
                    bytes,
                    recordStart,
                    recordLength,
                    "Invalid length of a record from " + peer + ": " + recordLength + " bytes. Use "
                            + into.recordLength() + ".");
        }
    }

    private boolean allowed(long length, byte[] bytes, int at, int received, BatchBuffer into) {
        if (length != Framer.WRONG && length <= longest) {
            return true;
        }
        wrong = length == Framer.WRONG ? CloseReason.WRONG_LENGTH : CloseReason.TOO_LONG;
        String what = length == Framer.WRONG
                ? ": it does not include its own bytes. Correct it, or set 'counts-itself: false'."
                : ". Use at most " + (longest - framer.head() - framer.tail()) + " bytes.";
        into.reject(bytes, at, Math.min(received, REJECT_BYTES_MAX), "Invalid length of a record from " + peer + what);
        forget();
        return false;
    }

    private boolean keep(ByteBuf source, int length, BatchBuffer into) {
        int needed = partialLength + length;
        if (partial.length < needed) {
            int capacity = (int) Math.max(needed, Math.min(2L * partial.length, longest));
            if (!incompleteRecords.admit(sender, capacity - partial.length)) {
                rejectIncomplete(source, length, into);
                return false;
            }
            partial = Arrays.copyOf(partial, capacity);
        }
        source.readBytes(partial, partialLength, length);
        partialLength = needed;
        return true;
    }

    private void rejectIncomplete(ByteBuf source, int length, BatchBuffer into) {
        wrong = CloseReason.TOO_MUCH_INCOMPLETE;
        byte[] shown = Arrays.copyOf(partial, Math.min(partialLength + length, REJECT_BYTES_MAX));
        if (partialLength < shown.length) {
            source.getBytes(source.readerIndex(), shown, partialLength, shown.length - partialLength);
        }
        into.reject(
                shown,
                0,
                shown.length,
                "Too many bytes of incomplete records from the address of " + peer
                        + ". Raise 'buffer' or 'max-share-per-address'.");
        forget();
    }

    /** Releases the memory of an incomplete frame. Nothing may be read afterwards. */
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
