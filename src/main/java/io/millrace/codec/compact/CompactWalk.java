package io.millrace.codec.compact;

/**
 * Steps over compact bytes. A step returns the offset past something, and throws {@link IllegalArgumentException} if it
 * ends outside of what contains it. {@link FinderSteps} has the same steps for generated code. Stateless.
 */
public final class CompactWalk {

    private CompactWalk() {}

    /** Returns the offset past the bits of a group. */
    public static int bitsEnd(byte[] bytes, int at, int end, int start) {
        int next = at;
        do {
            if (next >= end) {
                throw truncated("a group", at - start);
            }
        } while (bytes[next++] < 0);
        return next;
    }

    /** Returns whether a bit of a group is set. */
    public static boolean bit(byte[] bytes, int at, int bitBytes, int index) {
        int in = index / 7;
        return in < bitBytes && (bytes[at + in] >> index % 7 & 1) != 0;
    }

    /** Returns the offset past a part, which begins with the number of its bytes. */
    public static int partEnd(byte[] bytes, int at, int end, String path) {
        if (at < end && bytes[at] >= 0 && bytes[at] < end - at) {
            return at + 1 + bytes[at];
        }
        int from = varintEnd(bytes, at, end, path);
        long length = Varint.get(bytes, at);
        if (length < 0 || length > end - from) {
            throw truncated(path, at);
        }
        return from + (int) length;
    }

    /** Returns the offset past a varint. */
    public static int varintEnd(byte[] bytes, int at, int end, String path) {
        if (at >= end) {
            throw truncated(path, at);
        }
        int next = at + Varint.length(bytes[at]);
        if (next > end) {
            throw truncated(path, at);
        }
        return next;
    }

    static IllegalArgumentException truncated(String path, int at) {
        return new IllegalArgumentException("Truncated record: the value of " + path + ", at byte " + at
                + " of the record, ends outside of what contains it.");
    }
}
