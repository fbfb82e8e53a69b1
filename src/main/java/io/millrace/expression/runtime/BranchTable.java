package io.millrace.expression.runtime;

import io.millrace.hash.SeededHash;
import java.util.Arrays;
import java.util.Map;

/**
 * Branches by the value that selects them, as a constant of generated code: an array indexed by value or, if the values
 * are far apart, a hash table. Immutable; lookups allocate nothing.
 */
public final class BranchTable {

    /** The result for a value without a branch. */
    public static final int NONE = -1;

    private static final int DENSE_MIN = 1024;
    private static final int DENSE_FACTOR = 8;

    private final long first;
    /** Value of each slot of a hash table; empty if slots are indexed by value. */
    private final long[] values;

    private final int[] branches;
    private final int shift;

    /**
     * Creates the table.
     *
     * @param branches from 0, by value; at least one
     */
    public BranchTable(Map<Long, Integer> branches) {
        long least = branches.keySet().stream().mapToLong(value -> value).min().orElseThrow();
        long most = branches.keySet().stream().mapToLong(value -> value).max().orElseThrow();
        long distance = most - least;
        boolean dense = distance >= 0 && distance < Math.max(DENSE_MIN, DENSE_FACTOR * (long) branches.size());
        int slots = dense ? (int) distance + 1 : Integer.highestOneBit(branches.size()) * 4;
        this.first = least;
        this.values = dense ? new long[0] : new long[slots];
        this.branches = new int[slots];
        this.shift = Long.SIZE - Integer.numberOfTrailingZeros(slots);
        Arrays.fill(this.branches, NONE);
        branches.forEach((value, branch) -> {
            int slot = dense ? (int) (value - least) : free(value);
            if (!dense) {
                values[slot] = value;
            }
            this.branches[slot] = branch;
        });
    }

    private int free(long value) {
        int slot = home(value);
        while (branches[slot] != NONE) {
            slot = (slot + 1) & (branches.length - 1);
        }
        return slot;
    }

    private int home(long value) {
        return (int) ((value * SeededHash.GOLDEN_RATIO) >>> shift);
    }

    /** Returns the branch of a value, or {@link #NONE}. */
    public static int find(long value, BranchTable table) {
        int[] branches = table.branches;
        long[] values = table.values;
        if (values.length == 0) {
            long place = value - table.first;
            return place >= 0 && place < branches.length ? branches[(int) place] : NONE;
        }
        int slot = table.home(value);
        while (branches[slot] != NONE) {
            if (values[slot] == value) {
                return branches[slot];
            }
            slot = (slot + 1) & (branches.length - 1);
        }
        return NONE;
    }
}
