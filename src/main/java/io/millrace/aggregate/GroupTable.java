package io.millrace.aggregate;

import java.util.Arrays;

/**
 * Numbers groups by their keys, in the order in which they come: a hash table with open addressing and linear probing
 * over keys of a fixed number of longs. Number 0 is no group of its own: it stands for all that come when the table has
 * as many as it may. Not thread-safe; allocates where it grows only.
 */
public final class GroupTable {

    /** What stands for all groups that the table has no room for. */
    public static final int OTHERS = 0;

    private static final int FIRST_CAPACITY = 128;
    private static final long GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15L;

    private final int width;
    private final int limit;
    /** The keys of all groups, one after the other, from group 1 on. */
    private long[] keys;
    /** For each slot the key or, of keys of several longs, a hash of it; and its group, 0 where it is free. */
    private long[] codes;

    private int[] groups;
    private int shift;
    private int size;

    /**
     * An empty table.
     *
     * @param width longs of a key; 0 where all records are one group
     * @param limit the most groups
     */
    public GroupTable(int width, int limit) {
        this.width = width;
        this.limit = limit;
        keys = new long[width * FIRST_CAPACITY / 2];
        codes = new long[FIRST_CAPACITY];
        groups = new int[FIRST_CAPACITY];
        shift = Long.SIZE - Integer.numberOfTrailingZeros(FIRST_CAPACITY);
    }

    /** How many groups there are: their numbers go from 1 to this one. */
    public int size() {
        return size;
    }

    /** Longs of a key. */
    public int width() {
        return width;
    }

    /** The keys of all groups, one after the other, from group 1 on; good until another group is added. */
    public long[] keys() {
        return keys;
    }

    /** Where in {@link #keys()} a group's key begins. */
    public int keyAt(int group) {
        return (group - 1) * width;
    }

    /**
     * Finds the groups of keys, and adds those that are new.
     *
     * @param columns for each long of a key those of all records
     * @param from first record looked at
     * @param to behind the last
     * @param into receives, for each record looked at (same index), its group, or {@link #OTHERS}
     */
    public void find(long[][] columns, int from, int to, int[] into) {
        switch (width) {
            case 0 -> Arrays.fill(into, from, to, only());
            case 1 -> findSingle(columns[0], columns, from, to, into);
            default -> {
                for (int i = from; i < to; i++) {
                    into[i] = find(columns, i);
                }
            }
        }
    }

    private int only() {
        size = 1;
        return 1;
    }

    private void findSingle(long[] column, long[][] columns, int from, int to, int[] into) {
        long[] codesNow = codes;
        int[] groupsNow = groups;
        int shiftNow = shift;
        int mask = groupsNow.length - 1;
        for (int i = from; i < to; i++) {
            long key = column[i];
            int slot = (int) ((key * GOLDEN_RATIO) >>> shiftNow);
            int group = groupsNow[slot];
            while (group != 0 && codesNow[slot] != key) {
                slot = (slot + 1) & mask;
                group = groupsNow[slot];
            }
            if (group == 0) {
                group = add(slot, key, columns, i);
                codesNow = codes;
                groupsNow = groups;
                shiftNow = shift;
                mask = groupsNow.length - 1;
            }
            into[i] = group;
        }
    }

    private int find(long[][] columns, int index) {
        long code = 0;
        for (int part = 0; part < width; part++) {
            code = (code ^ columns[part][index]) * GOLDEN_RATIO;
            code ^= code >>> 32;
        }
        int mask = groups.length - 1;
        int slot = (int) ((code * GOLDEN_RATIO) >>> shift);
        while (groups[slot] != 0) {
            if (codes[slot] == code && isKey(groups[slot], columns, index)) {
                return groups[slot];
            }
            slot = (slot + 1) & mask;
        }
        return add(slot, code, columns, index);
    }

    private boolean isKey(int group, long[][] columns, int index) {
        int at = keyAt(group);
        for (int part = 0; part < width; part++) {
            if (keys[at + part] != columns[part][index]) {
                return false;
            }
        }
        return true;
    }

    private int add(int slot, long code, long[][] columns, int index) {
        if (size == limit) {
            return OTHERS;
        }
        if ((size + 1) * width > keys.length) {
            keys = Arrays.copyOf(keys, 2 * keys.length);
        }
        for (int part = 0; part < width; part++) {
            keys[size * width + part] = columns[part][index];
        }
        size++;
        codes[slot] = code;
        groups[slot] = size;
        int added = size;
        if (2 * size > groups.length) {
            grow();
        }
        return added;
    }

    private void grow() {
        long[] oldCodes = codes;
        int[] oldGroups = groups;
        codes = new long[2 * oldCodes.length];
        groups = new int[2 * oldGroups.length];
        shift--;
        int mask = groups.length - 1;
        for (int i = 0; i < oldGroups.length; i++) {
            if (oldGroups[i] != 0) {
                int slot = (int) ((oldCodes[i] * GOLDEN_RATIO) >>> shift);
                while (groups[slot] != 0) {
                    slot = (slot + 1) & mask;
                }
                codes[slot] = oldCodes[i];
                groups[slot] = oldGroups[i];
            }
        }
    }

    /** Forgets all groups, and keeps the room. */
    public void clear() {
        Arrays.fill(groups, 0);
        size = 0;
    }
}
