package io.millrace.measure.run;

import io.millrace.codec.RawBytes;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.Term;
import java.util.Arrays;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The panes that one partition of a pipeline has closed, as numbered entries in a {@link StateStore}. The partition
 * writes them in order, and {@link MeasureMerge} reads and removes them in this order. An entry that is put again is
 * the same: it is part of the state of the partition before it is put.
 *
 * <pre>
 * key NAME/closed/N      the first piece of entry N: the number of pieces in 4 bytes, then bytes of the entry
 * key NAME/closed/N/1    the second piece ...
 * </pre>
 *
 * Not thread-safe.
 */
final class PaneLog implements Outbox.Destination {

    /** The name of the log in the outbox of a partition. */
    static final String NAME = "closed";

    private static final int HEAD_LENGTH = Integer.BYTES;

    private final StateStore store;
    private final String key;
    private @Nullable Term term;

    /** @param key key of the state of the partition's measure */
    PaneLog(StateStore store, String key) {
        this.store = store;
        this.key = key + "/" + NAME + "/";
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void open(Term newTerm, ToLongFunction<String> committed) {
        term = newTerm;
    }

    private Term term() {
        Term current = term;
        if (current == null) {
            throw new IllegalStateException("The log of panes is not open.");
        }
        return current;
    }

    /** Puts an entry. The piece that shows its existence is the last. */
    @Override
    public void put(long number, int groups, byte[] entry) {
        int first = Math.min(entry.length, StateStore.MAX_VALUE_BYTES - HEAD_LENGTH);
        int pieces = 1 + (entry.length - first + StateStore.MAX_VALUE_BYTES - 1) / StateStore.MAX_VALUE_BYTES;
        for (int i = pieces - 1; i > 0; i--) {
            int from = first + (i - 1) * StateStore.MAX_VALUE_BYTES;
            int to = Math.min(entry.length, from + StateStore.MAX_VALUE_BYTES);
            store.put(pieceKey(number, i), Arrays.copyOfRange(entry, from, to), term());
        }
        byte[] head = new byte[HEAD_LENGTH + first];
        RawBytes.putInt(head, 0, pieces);
        System.arraycopy(entry, 0, head, HEAD_LENGTH, first);
        store.put(key + number, head, term());
    }

    /** Returns an entry; null if it does not exist yet, or was removed. */
    byte @Nullable [] get(long number) {
        byte[] head = store.get(key + number);
        if (head == null) {
            return null;
        }
        byte[] entry = Arrays.copyOfRange(head, HEAD_LENGTH, head.length);
        for (int i = 1; i < RawBytes.getInt(head, 0); i++) {
            byte[] piece = store.get(pieceKey(number, i));
            if (piece == null) {
                throw new IllegalStateException("Corrupt entry '" + key + number + "': piece " + i + " is missing.");
            }
            int length = entry.length;
            entry = Arrays.copyOf(entry, length + piece.length);
            System.arraycopy(piece, 0, entry, length, piece.length);
        }
        return entry;
    }

    /** Returns whether an entry exists, at least in part: a process may have ended while it removed the entry. */
    boolean contains(long number) {
        return store.get(key + number) != null;
    }

    /** Removes an entry, if it exists. What shows its existence is removed last. */
    void remove(long number) {
        byte[] head = store.get(key + number);
        if (head == null) {
            return;
        }
        for (int i = 1; i < RawBytes.getInt(head, 0); i++) {
            store.remove(pieceKey(number, i), term());
        }
        store.remove(key + number, term());
    }

    private String pieceKey(long number, int piece) {
        return key + number + "/" + piece;
    }

    @Override
    public void flush() {
        // each put is complete
    }

    @Override
    public void endBlock() {
        // there are no blocks
    }

    @Override
    public void close() {
        term = null;
    }
}
