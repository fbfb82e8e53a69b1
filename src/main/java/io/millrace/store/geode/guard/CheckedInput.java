package io.millrace.store.geode.guard;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads bytes from the network without trusting the lengths that they contain: it reads no further than a limit. Not
 * thread-safe.
 */
final class CheckedInput {

    private final DataInputStream in;
    private long remaining;

    /** @param limit maximum number of bytes to read */
    CheckedInput(InputStream in, long limit) {
        this.in = new DataInputStream(in);
        this.remaining = limit;
    }

    /** Returns the number of bytes that may still be read. */
    long remaining() {
        return remaining;
    }

    private void take(long bytes) throws RefusedInputException {
        if (bytes < 0 || bytes > remaining) {
            throw new RefusedInputException("Length " + bytes + " where at most " + remaining + " is allowed");
        }
        remaining -= bytes;
    }

    byte readByte() throws IOException {
        take(Byte.BYTES);
        return in.readByte();
    }

    int readUnsignedByte() throws IOException {
        return readByte() & 0xFF;
    }

    short readShort() throws IOException {
        take(Short.BYTES);
        return in.readShort();
    }

    int readUnsignedShort() throws IOException {
        return readShort() & 0xFFFF;
    }

    int readInt() throws IOException {
        take(Integer.BYTES);
        return in.readInt();
    }

    long readLong() throws IOException {
        take(Long.BYTES);
        return in.readLong();
    }

    /** Reads bytes, few enough to be allocated. */
    byte[] readBytes(int length) throws IOException {
        take(length);
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }

    /** Skips bytes whose content does not matter. */
    void skip(long bytes) throws IOException {
        take(bytes);
        try {
            in.skipNBytes(bytes);
        } catch (EOFException e) {
            throw new RefusedInputException("The input ends within a value of length " + bytes);
        }
    }

    /**
     * Returns the input of a part, which must be read to its end before this one is read further.
     *
     * @param bytes length of the part
     */
    CheckedInput part(int bytes) throws RefusedInputException {
        take(bytes);
        return new CheckedInput(in, bytes);
    }

    /** Requires a value. */
    void require(String name, long value, long expected) throws RefusedInputException {
        if (value != expected) {
            throw new RefusedInputException(name + " is " + value + " instead of " + expected);
        }
    }

    /** Requires that everything has been read. */
    void requireEnd() throws RefusedInputException {
        if (remaining != 0) {
            throw new RefusedInputException("Bytes behind the last value: " + remaining);
        }
    }
}
