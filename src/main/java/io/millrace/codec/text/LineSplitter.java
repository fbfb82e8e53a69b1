package io.millrace.codec.text;

import io.millrace.codec.RawBytes;
import java.io.IOException;

/**
 * Splits text into lines. LF, CRLF and CR end a line, in any mixture. In CSV, a line break within quotes belongs to the
 * value (RFC 4180): the line is then a record of several lines of text. Not thread-safe.
 *
 * <p>A CR that is the last byte of a file ends its line. If a LF is appended later, it is an empty line, so nothing is
 * lost or read twice.
 *
 * <p>A quote closes a value only before a comma or a line end. If it is followed by something else, or is missing
 * within the maximum length or before the end of text that does not grow, the line ends at its first line break, as if
 * it had no quotes. So the lines behind an invalid line are read, also behind one that is too long.
 */
public final class LineSplitter {

    /** What follows in the text. */
    public enum Next {
        /** A line. */
        LINE,
        /** A line whose end is unknown, because the text that may grow ends within it. */
        INCOMPLETE,
        /** A line that has more bytes than the maximum. Only its beginning can be read. */
        TOO_LONG,
        /** Nothing. */
        END
    }

    /** The place of the next byte. */
    private enum Place {
        /** At the beginning of a value. */
        BEGINNING,
        /** Within a value without quotes. */
        VALUE,
        QUOTES,
        /** Behind a quote that closes the value, or is the first of two. */
        CLOSED
    }

    /** Maximum length of the beginning of a line that is too long; a reject stores no more bytes. */
    private static final int MAX_BEGINNING_BYTES = 64_000;

    private static final int[] BYTE_ORDER_MARK = {0xEF, 0xBB, 0xBF};

    private final ByteWindow window;
    private final boolean quotes;
    private final boolean last;
    private final int maxBytes;
    private long number = 1;
    private int length;
    private int scanned;
    private int breaks;
    private boolean quoted;
    private boolean tooLong;
    private Place place = Place.BEGINNING;

    /**
     * @param quotes whether line breaks within the quotes of CSV belong to a value
     * @param last whether the text does not grow, so that its last line needs no line end
     * @param maxBytes maximum length of a line in bytes
     */
    public LineSplitter(ByteWindow window, boolean quotes, boolean last, int maxBytes) {
        this.window = window;
        this.quotes = quotes;
        this.last = last;
        this.maxBytes = maxBytes;
    }

    /** Consumes the byte order mark of UTF-8 at the beginning of the text, if there is one. */
    public void skipByteOrderMark() throws IOException {
        while (window.limit() - window.next() < BYTE_ORDER_MARK.length && !window.ended()) {
            window.readMore();
        }
        if (window.limit() - window.next() < BYTE_ORDER_MARK.length) {
            return;
        }
        for (int i = 0; i < BYTE_ORDER_MARK.length; i++) {
            if ((window.bytes()[window.next() + i] & 0xFF) != BYTE_ORDER_MARK[i]) {
                return;
            }
        }
        window.advance(BYTE_ORDER_MARK.length);
    }

    /** Finds the next line, which is the same again until it is {@linkplain #consume consumed}. */
    public Next next() throws IOException {
        return next(quotes);
    }

    /** Finds the end of the line of text in which reading begins, whatever quotes it has. */
    public Next nextRest() throws IOException {
        return next(false);
    }

    private Next next(boolean mayBeQuoted) throws IOException {
        scanned = 0;
        breaks = 0;
        quoted = mayBeQuoted;
        tooLong = false;
        place = Place.BEGINNING;
        while (true) {
            int start = window.next();
            int known = window.limit() - start;
            int end = scan(start, start + Math.min(known, maxBytes + 1));
            if (end >= 0) {
                length = end - start;
                return Next.LINE;
            }
            if (known > maxBytes) {
                return firstLine(maxBytes + 1) <= maxBytes ? Next.LINE : tooLong();
            }
            if (window.ended()) {
                return atEnd(known);
            }
            window.readMore();
        }
    }

    private Next tooLong() {
        tooLong = true;
        length = Math.min(maxBytes, MAX_BEGINNING_BYTES);
        return Next.TOO_LONG;
    }

    private Next atEnd(int known) {
        length = known;
        if (known == 0) {
            return Next.END;
        }
        if (last && quoted && place == Place.QUOTES) {
            firstLine(known);
        }
        return last ? Next.LINE : Next.INCOMPLETE;
    }

    /** Sets the line to the text before the first line break, if there is one, and returns its length. */
    private int firstLine(int known) {
        int end = RawBytes.indexOfLineEnd(window.bytes(), window.next(), window.next() + known);
        length = end < 0 ? known : end - window.next();
        breaks = 0;
        return length;
    }

    /** Continues to search for the end of the line. Returns its offset, or -1 if the bytes do not contain it. */
    private int scan(int start, int end) {
        byte[] bytes = window.bytes();
        int at = start + scanned;
        scanned = end - start;
        if (!quoted) {
            return RawBytes.indexOfLineEnd(bytes, at, end);
        }
        Place now = place;
        for (; at < end; at++) {
            byte next = bytes[at];
            boolean lineBreak = next == '\n' || next == '\r';
            if (now == Place.QUOTES) {
                if (next == '"') {
                    now = Place.CLOSED;
                } else if (lineBreak && !(next == '\n' && bytes[at - 1] == '\r')) {
                    breaks++;
                }
            } else if (lineBreak) {
                return at;
            } else if (next == ',') {
                now = Place.BEGINNING;
            } else if (next == '"') {
                now = now == Place.VALUE ? Place.VALUE : Place.QUOTES;
            } else if (now == Place.CLOSED) {
                quoted = false;
                breaks = 0;
                return RawBytes.indexOfLineEnd(bytes, start, end);
            } else {
                now = Place.VALUE;
            }
        }
        place = now;
        return -1;
    }

    /** Returns whether the text may grow, so that a line needs a line end. */
    public boolean mayGrow() {
        return !last;
    }

    /** Returns the array that contains the line. */
    public byte[] bytes() {
        return window.bytes();
    }

    /** Returns the offset of the line. */
    public int start() {
        return window.next();
    }

    /** Returns the length of the line in bytes, without its end; of one that is too long, that of its beginning. */
    public int length() {
        return length;
    }

    /** Returns whether the line has no bytes. */
    public boolean isEmpty() {
        return length == 0;
    }

    /** Returns the number of the line, or of the first one of a record, from 1. */
    public long number() {
        return number;
    }

    /** Returns what is wrong with a line that is too long. */
    public String lengthProblem() {
        return "The line is too long. Use at most " + maxBytes + " bytes.";
    }

    /** Consumes the line and what ends it. */
    public void consume() throws IOException {
        window.advance(length);
        if (tooLong) {
            consumeRest();
        }
        number += 1 + breaks;
        length = 0;
        if (isNext('\r')) {
            while (window.next() + 1 == window.limit() && !window.ended()) {
                window.readMore();
            }
            window.advance(1);
        } else if (!isNext('\n')) {
            return;
        }
        if (isNext('\n')) {
            window.advance(1);
        }
    }

    /** Consumes what follows in the same line of text, which need not fit in memory. */
    private void consumeRest() throws IOException {
        int end = RawBytes.indexOfLineEnd(window.bytes(), window.next(), window.limit());
        while (end < 0 && !window.ended()) {
            window.advance(window.limit() - window.next());
            window.readMore();
            end = RawBytes.indexOfLineEnd(window.bytes(), window.next(), window.limit());
        }
        window.advance((end < 0 ? window.limit() : end) - window.next());
    }

    private boolean isNext(char end) {
        return window.next() < window.limit() && window.bytes()[window.next()] == end;
    }
}
