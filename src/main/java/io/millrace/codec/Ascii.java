package io.millrace.codec;

/** Recognizes ASCII. Stateless; no method allocates. */
public final class Ascii {

    private static final long NOT_ASCII = 0x8080808080808080L;

    private Ascii() {}

    /** Returns whether all bytes in a range are ASCII. Checks eight at a time. */
    public static boolean isAscii(byte[] bytes, int at, int length) {
        long all = 0;
        if (length < Long.BYTES) {
            for (int i = 0; i < length; i++) {
                all |= bytes[at + i];
            }
        } else {
            // The last word overlaps the previous one, so that no bytes remain.
            int last = length - Long.BYTES;
            for (int i = 0; i < last; i += Long.BYTES) {
                all |= RawBytes.getLongLe(bytes, at + i);
            }
            all |= RawBytes.getLongLe(bytes, at + last);
        }
        return (all & NOT_ASCII) == 0;
    }
}
