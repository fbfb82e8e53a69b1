package io.millrace.store;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which parts of the blocks in memory were found undamaged, so that checksums are computed once for each copy of a
 * block that comes into memory, and not whenever it is asked something. Holds no block. Thread-safe.
 */
public final class BlockChecks {

    /** What was checked of one array. */
    static final class Mark extends WeakReference<byte[]> {

        /** Parts past these are checked each time. */
        private static final int PARTS_MAX = Long.SIZE;

        /** A bit for each part. */
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

    /** What was checked of the value that is a region's block now: nothing, where it is another array than before. */
    Mark of(long key, byte[] value) {
        Mark mark = marks.get(key);
        if (mark == null || !mark.refersTo(value)) {
            mark = new Mark(value);
            marks.put(key, mark);
        }
        return mark;
    }

    /** Forgets what was checked of all other blocks. */
    public void keepOnly(Set<Long> keys) {
        marks.keySet().retainAll(keys);
    }
}
