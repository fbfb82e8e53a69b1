package io.millrace.feed.kafka.read;

/** Where bytes of a message are. Reused for each message. Not thread-safe. */
public final class Slice {

    private static final byte[] NONE = {};

    private byte[] bytes = NONE;
    private int start;
    private int length = -1;

    /** Sets the slice to bytes, which are valid until the message is taken, and must not be changed. */
    public void set(byte[] array, int fromIndex, int count) {
        bytes = array;
        start = fromIndex;
        length = count;
    }

    /** Sets the slice to nothing: the message does not have these bytes. */
    public void clear() {
        set(NONE, 0, -1);
    }

    /** Returns the array that contains the bytes. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns the index of the first byte in {@link #bytes()}. */
    public int start() {
        return start;
    }

    /** Returns the number of bytes; -1 if the message does not have them. */
    public int length() {
        return length;
    }

    /** Returns whether the message has these bytes, which may be none. */
    public boolean isPresent() {
        return length >= 0;
    }
}
