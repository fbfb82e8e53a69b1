package io.millrace.cli.error;

import io.millrace.codec.ControlCharacters;
import java.io.PrintWriter;

/**
 * Escapes what a terminal would execute or reorder in the output of a command, because texts of records, comments and
 * answers come from outside. Line feeds and tabs stay. Not thread-safe.
 */
public final class PlainWriter extends PrintWriter {

    /** @param terminal gets the escaped text; flushed after each line */
    public PlainWriter(PrintWriter terminal) {
        super(terminal, true);
    }

    @Override
    public void write(int c) {
        write(String.valueOf((char) c));
    }

    @Override
    public void write(char[] text, int start, int length) {
        write(new String(text, start, length));
    }

    @Override
    public void write(String text, int start, int length) {
        write(text.substring(start, start + length));
    }

    @Override
    public void write(String text) {
        String escaped = ControlCharacters.escapedLines(text);
        super.write(escaped, 0, escaped.length());
    }
}
