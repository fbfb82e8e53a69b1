package io.millrace.codec.compact;

import java.util.Arrays;

/** The buffer to which compact records are appended, which is reused. Not thread-safe; allocates only to grow it. */
public abstract sealed class RecordAppender permits CompactEncoder, UpgradeWriter {

    final CompactOutput out = new CompactOutput();

    RecordAppender() {}

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
