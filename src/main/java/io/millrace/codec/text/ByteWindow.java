package io.millrace.codec.text;

import java.io.IOException;

/** The part of a file or a stream that is in memory: an array that moves along it, and grows for long lines. */
public interface ByteWindow {

    /** Returns the array; replaced when more is read. */
    byte[] bytes();

    /** Returns the offset of the first byte that has not been consumed. */
    int next();

    /** Returns the offset past the last byte that has been read. */
    int limit();

    /** Returns whether no bytes follow those that have been read. */
    boolean ended();

    /** Consumes bytes that have been read. */
    void advance(int length);

    /** Reads more behind what has not been consumed; at the end, the window has ended. */
    void readMore() throws IOException;
}
