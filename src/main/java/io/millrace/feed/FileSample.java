package io.millrace.feed;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** A copy of the last kilobyte of a file before a position. Not thread-safe; its copies allocate nothing. */
final class FileSample {

    static final int MAX_BYTES = 1024;
    private static final int HASH_BYTES = 8;

    private final byte[] bytes = new byte[MAX_BYTES];
    private int length;
    private long end;

    /** Returns the position in the file at which the sample ends. */
    long end() {
        return end;
    }

    void clear() {
        length = 0;
        end = 0;
    }

    void set(FileSample other) {
        System.arraycopy(other.bytes, 0, bytes, 0, other.length);
        length = other.length;
        end = other.end;
    }

    /** Moves the end behind bytes that follow it in the file. */
    void append(byte[] next, int offset, int count) {
        int added = Math.min(count, MAX_BYTES);
        int kept = Math.min(length, MAX_BYTES - added);
        System.arraycopy(bytes, length - kept, bytes, 0, kept);
        System.arraycopy(next, offset + count - added, bytes, kept, added);
        length = kept + added;
        end += count;
    }

    /** Reads the sample that ends at a position, unless this is it. */
    void readTo(FileChannel file, long position) throws IOException {
        if (position == end) {
            return;
        }
        int wanted = (int) Math.min(MAX_BYTES, position);
        if (!read(file, position - wanted, ByteBuffer.wrap(bytes, 0, wanted))) {
            throw new EOFException("The file ends before byte " + position + ".");
        }
        length = wanted;
        end = position;
    }

    /** Returns whether a file has these bytes at their place. */
    boolean isIn(FileChannel file) throws IOException {
        byte[] found = new byte[length];
        return read(file, end - length, ByteBuffer.wrap(found)) && Arrays.equals(found, 0, length, bytes, 0, length);
    }

    private static boolean read(FileChannel file, long start, ByteBuffer into) throws IOException {
        int offset = into.position();
        while (into.hasRemaining()) {
            if (file.read(into, start + into.position() - offset) < 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the length and a hash, such as {@code 1024:9f86d081884c7d65}.
     *
     * @param position before which the bytes have to be, if this sample begins the file
     */
    String describe(long position) {
        int count = (int) Math.min(length, position);
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes, 0, count);
            return count + ":" + HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
