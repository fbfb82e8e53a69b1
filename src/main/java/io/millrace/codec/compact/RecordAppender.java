package io.millrace.codec.compact;

import java.util.Arrays;

/** The buffer to which compact records are appended, which is reused. Not thread-safe; allocates only to grow it. */
public abstract class RecordAppender {

    /** The buffer. */
    protected final CompactOutput out = new CompactOutput();

    /** Creates an empty buffer. */
    protected RecordAppender() {}

    /** Removes all records from the buffer. */
    public final void clear() {
        out.clear();
    }

    /** Returns the buffer. Replaced when it grows. */
    public final byte[] bytes() {
        return out.bytes();
    }

    /** Returns the number of bytes in the buffer. */
    public final int length() {
        return out.length();
    }

    /** Returns a copy of the bytes in the buffer. */
    public final byte[] toBytes() {
        return Arrays.copyOf(out.bytes(), out.length());
    }
}
