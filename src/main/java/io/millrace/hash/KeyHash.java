package io.millrace.hash;

import io.millrace.codec.RawBytes;

/**
 * Hashes keys to 64 bits. The hashes are stored in files and must never change. Anyone can choose keys that collide, so
 * use it only for keys that the operator chooses, such as those of a packed table. Use {@link SeededHash} for all
 * others.
 */
public final class KeyHash {

    private static final long MULTIPLIER = 0xff51afd7ed558ccdL;
    private static final long SECOND_MULTIPLIER = 0xc4ceb9fe1a85ec53L;

    private KeyHash() {}

    /** Returns the hash of a number (the finalizer of MurmurHash3). Different numbers have different hashes. */
    public static long of(long key) {
        long hash = key;
        hash = (hash ^ (hash >>> 33)) * MULTIPLIER;
        hash = (hash ^ (hash >>> 33)) * SECOND_MULTIPLIER;
        return hash ^ (hash >>> 33);
    }

    /** Returns the hash of bytes. Different bytes may have the same hash, so a lookup must compare the bytes too. */
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
