package io.millrace.store.scan;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The first records, up to a capacity, by several keys, each an ascending long; of equal ones those that arrived first.
 * A bounded heap with the last record on top. Not thread-safe; allocates only at construction, and when it grows to its
 * capacity.
 */
final class TopRecords {

    private static final int INITIAL_CAPACITY = 128;

    private final int capacity;
    private final int width;
    /** Keys of the record in a slot, {@link #width} of them. */
    private long[] keys;

    private long[] arrivals;
    private byte[] @Nullable [] sources;
    private int[] offsets;
    /** Slots, as a binary heap. */
    private int[] heap;

    private int size;
    private long nextArrival;

    /**
     * @param capacity maximum number of records
     * @param width number of keys, at least one
     */
    TopRecords(int capacity, int width) {
        this.capacity = capacity;
        this.width = width;
        int first = Math.min(capacity, INITIAL_CAPACITY);
        keys = new long[first * width];
        arrivals = new long[first];
        sources = new byte[first][];
        offsets = new int[first];
        heap = new int[first];
    }

    /** Returns the maximum number of bytes that each record takes here, without its own. */
    static long bytesOfEach(int width) {
        return (width + 1L) * Long.BYTES + Long.BYTES + 2 * Integer.BYTES;
    }

    private void grow() {
        int length = (int) Math.min(capacity, 2L * heap.length);
        keys = Arrays.copyOf(keys, length * width);
        arrivals = Arrays.copyOf(arrivals, length);
        sources = Arrays.copyOf(sources, length);
        offsets = Arrays.copyOf(offsets, length);
        heap = Arrays.copyOf(heap, length);
    }

    /** Returns whether a record would be retained if it were offered. */
    boolean keeps(long[][] columns, int index) {
        return size < capacity || before(columns, index, heap[0]);
    }

    /**
     * Offers a record.
     *
     * @param columns values of each key
     * @param index of the record's values in each column
     * @param source array that contains the record, from {@code offset} on; retained, not copied
     */
    void offer(long[][] columns, int index, byte[] source, int offset) {
        long arrival = nextArrival++;
        if (size < capacity) {
            if (size == heap.length) {
                grow();
            }
            heap[size] = size;
            set(size, columns, index, source, offset, arrival);
            size++;
            up(size - 1);
        } else if (before(columns, index, heap[0])) {
            set(heap[0], columns, index, source, offset, arrival);
            down(0);
        }
    }

    private void set(int slot, long[][] columns, int index, byte[] source, int offset, long arrival) {
        for (int k = 0; k < width; k++) {
            keys[slot * width + k] = columns[k][index];
        }
        arrivals[slot] = arrival;
        sources[slot] = source;
        offsets[slot] = offset;
    }

    /** Returns whether a new record belongs before the one in a slot; an equal one arrived later. */
    private boolean before(long[][] columns, int index, int slot) {
        for (int k = 0; k < width; k++) {
            int order = Long.compare(columns[k][index], keys[slot * width + k]);
            if (order != 0) {
                return order < 0;
            }
        }
        return false;
    }

    private boolean worse(int slot, int other) {
        for (int k = 0; k < width; k++) {
            int order = Long.compare(keys[slot * width + k], keys[other * width + k]);
            if (order != 0) {
                return order > 0;
            }
        }
        return arrivals[slot] > arrivals[other];
    }

    private void up(int start) {
        int at = start;
        while (at > 0 && worse(heap[at], heap[(at - 1) / 2])) {
            swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    private void down(int start) {
        int at = start;
        while (true) {
            int child = 2 * at + 1;
            if (child >= size) {
                return;
            }
            if (child + 1 < size && worse(heap[child + 1], heap[child])) {
                child++;
            }
            if (!worse(heap[child], heap[at])) {
                return;
            }
            swap(at, child);
            at = child;
        }
    }

    private void swap(int a, int b) {
        int slot = heap[a];
        heap[a] = heap[b];
        heap[b] = slot;
    }

    /** Receives records. */
    interface Receiver {

        /**
         * Receives one record.
         *
         * @param source array that contains it, from {@code offset} on
         * @param keys array that contains its keys, from {@code keysAt} on
         */
        void accept(byte[] source, int offset, long[] keys, int keysAt);
    }

    /** Returns the number of retained records. */
    int size() {
        return size;
    }

    /** Passes the records to the receiver, first ones first. May be called once. */
    void drain(Receiver receiver) {
        int count = size;
        while (size > 1) {
            size--;
            swap(0, size);
            down(0);
        }
        for (int i = 0; i < count; i++) {
            byte[] source = sources[heap[i]];
            if (source != null) {
                receiver.accept(source, offsets[heap[i]], keys, heap[i] * width);
            }
        }
    }
}
