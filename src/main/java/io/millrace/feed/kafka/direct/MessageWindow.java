package io.millrace.feed.kafka.direct;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of the messages of a batch: where the response has them, or, if they are compressed, in memory that is as
 * long as the longest message, and is used again. Every read of bytes that are not there throws a
 * {@link CorruptRecordException}. Not thread-safe.
 */
final class MessageWindow implements AutoCloseable {

    private static final int MIN_LENGTH = 64 << 10;
    private static final int MAX_LENGTH = 1 << 30;

    private byte[] decompressed = {};
    /** The rest of a compressed batch behind the window; null for a batch that is not compressed. */
    private @Nullable InputStream rest;

    private byte[] bytes = decompressed;
    private int at;
    private int end;
    /** Whether all bytes of the message that is being read are in the window, so that no others belong to it. */
    private boolean whole;

    static CorruptRecordException corrupt(String what) {
        return new CorruptRecordException("The response of the broker has " + what + ".");
    }

    /** Begins with messages that are not compressed. */
    void begin(byte[] array, int fromIndex, int toIndex) {
        close();
        bytes = array;
        at = fromIndex;
        end = toIndex;
    }

    /** Begins with compressed messages. */
    void begin(InputStream messages) {
        close();
        rest = messages;
        bytes = decompressed;
        at = 0;
        end = 0;
    }

    /** Returns the array that has the message. */
    byte[] bytes() {
        return bytes;
    }

    /** Returns the index of the next byte. */
    int index() {
        return at;
    }

    /** Reads the length of a message, and makes sure that it is in the window. Returns the index of its end. */
    int beginMessage() {
        int length = varint();
        require(length);
        whole = true;
        return at + length;
    }

    /** Continues at the end of a message, which may have bytes that were not read. */
    void endMessage(int messageEnd) {
        if (at > messageEnd) {
            throw corrupt("a message that is longer than its length");
        }
        at = messageEnd;
        whole = false;
    }

    /** Requires that no bytes are left, and releases the memory of a compressed batch. */
    void requireEnd() {
        InputStream stream = rest;
        try {
            if (at < end || (stream != null && stream.read() >= 0)) {
                throw corrupt("a batch with bytes behind its last message");
            }
        } catch (IOException e) {
            throw notDecompressed(e);
        }
        close();
    }

    /**
     * Reads a part of the message again that was read last. The message has to be {@linkplain #endMessage ended} again.
     */
    void rewind(int index) {
        at = index;
        whole = true;
    }

    void skip(int length) {
        require(length);
        at += length;
    }

    byte int8() {
        require(1);
        return bytes[at++];
    }

    /** Reads a number in zigzag encoding. */
    int varint() {
        byte first = int8();
        if (first >= 0) {
            return (first >>> 1) ^ -(first & 1);
        }
        int value = first & 0x7f;
        for (int shift = 7; shift < Integer.SIZE; shift += 7) {
            byte next = int8();
            value |= (next & 0x7f) << shift;
            if (next >= 0) {
                return (value >>> 1) ^ -(value & 1);
            }
        }
        throw corrupt("a number of more than five bytes");
    }

    /** Reads a long number in zigzag encoding. */
    long varlong() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = int8();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return (value >>> 1) ^ -(value & 1);
            }
        }
        throw corrupt("a number of more than ten bytes");
    }

    private void require(int length) {
        if (length < 0 || length > end - at) {
            fill(length);
        }
    }

    private void fill(int length) {
        InputStream stream = rest;
        if (length < 0 || stream == null || whole) {
            throw corrupt("a message of " + length + " bytes in a batch with " + (end - at));
        }
        System.arraycopy(decompressed, at, decompressed, 0, end - at);
        end -= at;
        at = 0;
        try {
            while (end < length) {
                if (end == decompressed.length) {
                    grow();
                }
                int read = stream.read(decompressed, end, decompressed.length - end);
                if (read <= 0) {
                    throw corrupt("a message of " + length + " bytes in a batch with " + end);
                }
                end += read;
            }
        } catch (IOException e) {
            throw notDecompressed(e);
        }
    }

    /** Not at once as large as a length says that may be wrong. */
    private void grow() {
        if (decompressed.length >= MAX_LENGTH) {
            throw corrupt("a message of more than " + MAX_LENGTH + " bytes");
        }
        decompressed = Arrays.copyOf(decompressed, Math.max(MIN_LENGTH, 2 * decompressed.length));
        bytes = decompressed;
    }

    private static CorruptRecordException notDecompressed(IOException e) {
        return corrupt("a batch that can't be decompressed: " + e.getMessage());
    }

    /** Releases the memory of a compressed batch that was not read to its end. */
    @Override
    public void close() {
        InputStream stream = rest;
        rest = null;
        whole = false;
        if (stream != null) {
            try {
                stream.close();
            } catch (IOException e) {
                throw notDecompressed(e);
            }
        }
    }
}
