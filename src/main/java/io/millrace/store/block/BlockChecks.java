package io.millrace.store.block;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stores which parts of the blocks in memory passed their check, so that checksums are computed once for each copy of a
 * block that is loaded into memory, and not for each query. Holds no block. Thread-safe.
 */
public final class BlockChecks {

    /** The checked parts of one array. */
    static final class Mark extends WeakReference<byte[]> {

        /** Parts from this one on are checked each time. */
        private static final int PARTS_MAX = Long.SIZE;

        /** One bit for each part. */
        private volatile long checked;

        Mark(byte[] value) {
            super(value);
        }

        boolean isChecked(int part) {
            return part < PARTS_MAX && ((checked >>> part) & 1) != 0;
        }

        void setChecked(int part) {
            if (part < PARTS_MAX) {
                synchronized (this) {
                    checked |= 1L << part;
                }
            }
        }
    }

    private final Map<Long, Mark> marks = new ConcurrentHashMap<>();

    /** Returns the checked parts of the value of a region's block: none if the array is another one than before. */
    public Mark of(long key, byte[] value) {
        Mark mark = marks.get(key);
        if (mark == null || !mark.refersTo(value)) {
            mark = new Mark(value);
            marks.put(key, mark);
        }
        return mark;
    }

    /** Discards the checks of all other blocks. */
    public void keepOnly(Set<Long> keys) {
        marks.keySet().retainAll(keys);
    }
}
