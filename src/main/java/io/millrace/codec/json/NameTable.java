package io.millrace.codec.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Finds names by their UTF-8 bytes, without a string. Immutable; no method but the constructor allocates. */
final class NameTable {

    private final byte[][] names;

    /** Indexes of names plus 1 by hash, with linear probing; 0 is empty. */
    private final int[] slots;

    /** @param names distinct names, whose indexes are looked up */
    NameTable(List<String> names) {
        this.names = names.stream()
                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        slots = new int[Integer.highestOneBit(Math.max(1, names.size())) * 4];
        for (int i = 0; i < this.names.length; i++) {
            int slot = slot(this.names[i], 0, this.names[i].length);
            while (slots[slot] != 0) {
                slot = (slot + 1) & (slots.length - 1);
            }
            slots[slot] = i + 1;
        }
    }

    /** Returns the index of a name, or -1. */
    int index(byte[] bytes, int at, int length) {
        int slot = slot(bytes, at, length);
        while (slots[slot] != 0) {
            int index = slots[slot] - 1;
            if (matches(index, bytes, at, length)) {
                return index;
            }
            slot = (slot + 1) & (slots.length - 1);
        }
        return -1;
    }

    private boolean matches(int index, byte[] bytes, int at, int length) {
        byte[] name = names[index];
        return name.length == length && Arrays.equals(name, 0, length, bytes, at, at + length);
    }

    /** The names are of the schema, so nobody can choose them to collide. */
    private int slot(byte[] bytes, int at, int length) {
        if (length == 0) {
            return 0;
        }
        int hash = length * 31 + bytes[at];
        hash = hash * 31 + bytes[at + length / 2];
        hash = hash * 31 + bytes[at + length - 1];
        return (hash ^ (hash >>> 7)) & (slots.length - 1);
    }
}
