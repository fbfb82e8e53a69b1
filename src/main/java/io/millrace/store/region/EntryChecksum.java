package io.millrace.store.region;

import io.millrace.codec.RawBytes;
import java.util.zip.CRC32C;

/**
 * The checksum at the end of each entry, because the files of Geode have none: the CRC32C of the bytes before it, xor
 * the hash code of the key, 4 bytes, highest first. A value is corrupt under another key too, so a bit that flips in
 * the key is noticed as one in the value. The hash of a key is the same in every process, because Geode determines a
 * key's bucket by it. Stateless; allocates nothing.
 */
final class EntryChecksum {

    static final int LENGTH = Integer.BYTES;

    private EntryChecksum() {}

    /** Writes the checksum to the last bytes of an entry. */
    static void write(Object key, byte[] entry) {
        int at = entry.length - LENGTH;
        RawBytes.putInt(entry, at, compute(key, entry, at));
    }

    /** Returns whether an entry ends with its checksum. */
    static boolean matches(Object key, byte[] entry) {
        int at = entry.length - LENGTH;
        return at >= 0 && RawBytes.getInt(entry, at) == compute(key, entry, at);
    }

    private static int compute(Object key, byte[] entry, int length) {
        CRC32C crc = new CRC32C();
        crc.update(entry, 0, length);
        return (int) crc.getValue() ^ key.hashCode();
    }
}
