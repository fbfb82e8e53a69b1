package io.millrace.codec.text;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;

/**
 * Passes on CSV, and notices the line whose quote is still open at the end: the parser would take the rest of the file
 * as its value. Not thread-safe.
 */
final class QuoteCheck extends FilterReader {

    /** The place of the next character in a value. */
    private enum State {
        BEGINNING,
        UNQUOTED,
        QUOTED,
        /** Behind a quote that closes the value, or is the first of two. */
        AFTER_QUOTE
    }

    private State state = State.BEGINNING;
    private long line = 1;
    private long recordLine = 1;
    private boolean afterReturn;
    private boolean ended;

    QuoteCheck(Reader in) {
        super(in);
    }

    /** Returns whether a record contains a quote that is open at the end, provided that it has been read completely. */
    boolean isOpen(long firstLine) {
        return ended && state == State.QUOTED && recordLine == firstLine;
    }

    @Override
    public int read() throws IOException {
        int next = in.read();
        if (next < 0) {
            ended = true;
        } else {
            accept((char) next);
        }
        return next;
    }

    @Override
    public int read(char[] into, int offset, int length) throws IOException {
        int read = in.read(into, offset, length);
        if (read < 0) {
            ended = true;
        }
        for (int i = 0; i < read; i++) {
            accept(into[offset + i]);
        }
        return read;
    }

    private void accept(char next) {
        boolean lineEnd = next == '\r' || next == '\n';
        if (lineEnd && !(next == '\n' && afterReturn)) {
            line++;
        }
        afterReturn = next == '\r';
        if (state == State.QUOTED) {
            state = next == '"' ? State.AFTER_QUOTE : State.QUOTED;
        } else if (next == '"' && state != State.UNQUOTED) {
            state = State.QUOTED;
        } else {
            state = next == ',' || lineEnd ? State.BEGINNING : State.UNQUOTED;
        }
        if (lineEnd && state != State.QUOTED) {
            recordLine = line;
        }
    }
}
