package io.millrace.hash;

import io.millrace.codec.RawBytes;

/**
 * Spreads keys over 64 bits. The numbers are stored in files: they must never change. Everyone can choose keys that
 * collide, so it is for keys of the operator's own, those of a packed table; see {@link SeededHash} for all others.
 */
public final class KeyHash {

    private static final long MULTIPLIER = 0xff51afd7ed558ccdL;
    private static final long SECOND_MULTIPLIER = 0xc4ceb9fe1a85ec53L;

    private KeyHash() {}

    /** The hash of a number: one to one. (The finalizer of MurmurHash3.) */
    public static long of(long key) {
        long hash = key;
        hash = (hash ^ (hash >>> 33)) * MULTIPLIER;
        hash = (hash ^ (hash >>> 33)) * SECOND_MULTIPLIER;
        return hash ^ (hash >>> 33);
    }

    /** The hash of some bytes. Other bytes may have the same hash, so a lookup compares the bytes too. */
    public static long of(byte[] bytes, int at, int length) {
        long hash = length;
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            hash = mix(hash, RawBytes.getLong(bytes, at + i));
        }
        long rest = 0;
        for (; i < length; i++) {
            rest = (rest << Byte.SIZE) | (bytes[at + i] & 0xFF);
        }
        return of(mix(hash, rest));
    }

    private static long mix(long hash, long word) {
        long mixed = (hash ^ word) * MULTIPLIER;
        return mixed ^ (mixed >>> 32);
    }
}
