package io.millrace.aggregate;

import io.millrace.hash.SeededHash;
import java.util.Arrays;

/**
 * Numbers groups by their keys, in the order of arrival: a hash table with open addressing and linear probing over keys
 * of a fixed number of longs. Number 0 is not a group of its own: it represents all groups that arrive when the table
 * has reached its limit. Not thread-safe; allocates only to grow.
 *
 * <p>Keys come from records, so a sender can choose keys that collide. A key's home slot is determined by the product
 * with a multiplier, at first a public one that spreads dense keys evenly. If a key is found, or missed, more than
 * {@value #PROBES_MAX} slots from its home slot, all groups are rehashed with another, secret multiplier; keys of
 * several longs are hashed with a secret seed from then on. The numbers of groups do not depend on it.
 */
public final class GroupTable {

    /** The number that represents all groups beyond the limit of the table. */
    public static final int OTHERS = 0;

    private static final int FIRST_CAPACITY = 128;

    /** Of random keys in a table that is half full, one in 10<sup>11</sup> is so far from its home slot. */
    static final int PROBES_MAX = 128;

    private final SeededHash hash;
    private final int width;
    private final int limit;
    /** The keys of all groups, one after the other, from group 1 on. */
    private long[] keys;
    /** For each slot the key or, for keys of several longs, a hash of it; and its group, 0 if it is free. */
    private long[] codes;

    private int[] groups;
    private long multiplier = SeededHash.GOLDEN_RATIO;
    /** Whether keys of several numbers are hashed with the seed. */
    private boolean secret;

    private int shift;
    private int size;

    /**
     * Creates an empty table.
     *
     * @param width longs of a key; 0 if all records are one group
     * @param limit maximum number of groups; their keys fit into an array
     */
    public GroupTable(int width, int limit) {
        this(width, limit, SeededHash.random());
    }

    GroupTable(int width, int limit, SeededHash hash) {
        this.hash = hash;
        this.width = width;
        this.limit = limit;
        keys = new long[width * Math.min(limit, FIRST_CAPACITY / 2)];
        codes = new long[FIRST_CAPACITY];
        groups = new int[FIRST_CAPACITY];
        shift = Long.SIZE - Integer.numberOfTrailingZeros(FIRST_CAPACITY);
    }

    /** Returns the number of groups, which are numbered from 1 to this number. */
    public int size() {
        return size;
    }

    /** Returns the number of longs of a key. */
    public int width() {
        return width;
    }

    /** Returns the keys of all groups, one after the other, from group 1 on; valid until another group is added. */
    public long[] keys() {
        return keys;
    }

    /** Returns the index in {@link #keys()} at which a group's key begins. */
    public int keyAt(int group) {
        return (group - 1) * width;
    }

    /**
     * Finds the groups of keys, and adds new ones.
     *
     * @param columns for each long of a key those of all records
     * @param from index of the first record
     * @param to index behind the last record
     * @param into receives the group of each of these records at the same index, or {@link #OTHERS}
     */
    public void find(long[][] columns, int from, int to, int[] into) {
        switch (width) {
            case 0 -> Arrays.fill(into, from, to, singleGroup());
            case 1 -> findSingle(columns[0], columns, from, to, into);
            default -> {
                for (int i = from; i < to; i++) {
                    into[i] = find(columns, i);
                }
            }
        }
    }

    /**
     * Returns the group of a key, or {@link #OTHERS} if it has none. Adds nothing.
     *
     * @param key its longs, from index {@code at} on
     */
    public int groupOf(long[] key, int at) {
        if (width == 0) {
            return size;
        }
        long code = width == 1 ? key[at] : codeOf(key, at);
        int mask = groups.length - 1;
        int slot = home(code);
        while (groups[slot] != 0) {
            if (codes[slot] == code && isKey(groups[slot], key, at)) {
                return groups[slot];
            }
            slot = (slot + 1) & mask;
        }
        return OTHERS;
    }

    private long codeOf(long[] key, int at) {
        long code = 0;
        for (int part = 0; part < width; part++) {
            code = fold(code, key[at + part]);
        }
        return code;
    }

    private boolean isKey(int group, long[] key, int at) {
        int from = keyAt(group);
        return Arrays.equals(keys, from, from + width, key, at, at + width);
    }

    private int singleGroup() {
        size = 1;
        return 1;
    }

    private void findSingle(long[] column, long[][] columns, int from, int to, int[] into) {
        long[] codesNow = codes;
        int[] groupsNow = groups;
        long multiplierNow = multiplier;
        int shiftNow = shift;
        int mask = groupsNow.length - 1;
        for (int i = from; i < to; i++) {
            long key = column[i];
            int slot = (int) ((key * multiplierNow) >>> shiftNow);
            int group = groupsNow[slot];
            while (group != 0 && codesNow[slot] != key) {
                slot = (slot + 1) & mask;
                group = groupsNow[slot];
            }
            if (group == 0) {
                group = add(slot, key, columns, i);
                codesNow = codes;
                groupsNow = groups;
                multiplierNow = multiplier;
                shiftNow = shift;
                mask = groupsNow.length - 1;
            }
            into[i] = group;
        }
    }

    private int find(long[][] columns, int index) {
        long code = 0;
        for (int part = 0; part < width; part++) {
            code = fold(code, columns[part][index]);
        }
        int mask = groups.length - 1;
        int slot = home(code);
        while (groups[slot] != 0) {
            if (codes[slot] == code && isKey(groups[slot], columns, index)) {
                return groups[slot];
            }
            slot = (slot + 1) & mask;
        }
        return add(slot, code, columns, index);
    }

    /** Adds a number of a key to the hash of the previous ones. */
    private long fold(long code, long number) {
        if (secret) {
            return hash.fold(code, number);
        }
        long product = (code ^ number) * SeededHash.GOLDEN_RATIO;
        return product ^ (product >>> 32);
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
        boolean far = isFar(slot, code);
        int added = OTHERS;
        if (size < limit) {
            if ((size + 1) * width > keys.length) {
                keys = Arrays.copyOf(keys, (int) Math.min(2L * keys.length, (long) limit * width));
            }
            for (int part = 0; part < width; part++) {
                keys[size * width + part] = columns[part][index];
            }
            size++;
            codes[slot] = code;
            groups[slot] = size;
            added = size;
        }
        if (far) {
            changeMultiplier(codes, groups);
            rehash(groups.length);
        } else if (2 * size > groups.length) {
            rehash(2 * groups.length);
        }
        return added;
    }

    private int home(long code) {
        return (int) ((code * multiplier) >>> shift);
    }

    private boolean isFar(int slot, long code) {
        return ((slot - home(code)) & (groups.length - 1)) > PROBES_MAX;
    }

    /**
     * Rehashes all groups into a number of slots, with another multiplier if one of them would be far from its home
     * slot.
     */
    private void rehash(int capacity) {
        long[] oldCodes = codes;
        int[] oldGroups = groups;
        codes = new long[capacity];
        groups = new int[capacity];
        shift = Long.SIZE - Integer.numberOfTrailingZeros(capacity);
        while (!placeAll(oldCodes, oldGroups)) {
            changeMultiplier(oldCodes, oldGroups);
            Arrays.fill(groups, 0);
        }
    }

    /** Chooses another multiplier, and from now on hashes keys of several numbers with the secret seed. */
    private void changeMultiplier(long[] placedCodes, int[] placedGroups) {
        multiplier = hash.multiplierAfter(multiplier);
        if (width > 1 && !secret) {
            secret = true;
            for (int slot = 0; slot < placedGroups.length; slot++) {
                if (placedGroups[slot] != 0) {
                    placedCodes[slot] = codeOf(keys, keyAt(placedGroups[slot]));
                }
            }
        }
    }

    private boolean placeAll(long[] oldCodes, int[] oldGroups) {
        int mask = groups.length - 1;
        for (int i = 0; i < oldGroups.length; i++) {
            if (oldGroups[i] != 0) {
                int slot = home(oldCodes[i]);
                while (groups[slot] != 0) {
                    slot = (slot + 1) & mask;
                }
                if (isFar(slot, oldCodes[i])) {
                    return false;
                }
                codes[slot] = oldCodes[i];
                groups[slot] = oldGroups[i];
            }
        }
        return true;
    }

    /** Discards all groups, and retains the capacity. */
    public void clear() {
        Arrays.fill(groups, 0);
        size = 0;
    }
}
