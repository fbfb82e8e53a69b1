package io.millrace.codec.json;

import io.millrace.codec.RawBytes;
import io.millrace.codec.compact.CompactNumbers;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.LongStream;

/** JSON in UTF-8, written to an array that is reused. Not thread-safe; allocates only to grow the array. */
public final class JsonBuffer {

    /**
     * Maximum length of the text in bytes: more than any record of valid data needs, and less than a record can state.
     */
    static final int MAX_BYTES = 1 << 27;

    private static final int INITIAL_CAPACITY = 512;

    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGHS = 0x8080_8080_8080_8080L;
    private static final long QUOTES = '"' * ONES;
    private static final long BACKSLASHES = '\\' * ONES;
    private static final long SPACES = ' ' * ONES;

    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_LONG_BYTES = 20;
    private static final int MAX_DIGITS = 19;
    private static final long[] POWERS =
            LongStream.iterate(1, power -> 10 * power).limit(MAX_DIGITS).toArray();

    /** Digits that fit in a word. */
    private static final int WORD_DIGITS = 8;

    private static final int WORD_LIMIT = 100_000_000;
    private static final int TIME_BYTES = 9;
    private static final long ZEROS = '0' * ONES;

    /** Maximum number of decimals whose power of ten is a long. */
    private static final int MAX_SCALE = MAX_DIGITS - 1;

    /**
     * Within these bounds, a double has no exponent in its text, and with at most {@link #MAX_PLAIN_SCALE} decimals at
     * most 15 digits. Doubles are the only ones nearest to decimals of so many digits, so these are its shortest text.
     */
    private static final double MIN_PLAIN = 1e-3;

    private static final double MAX_PLAIN = 1e7;
    private static final int MIN_PLAIN_EXPONENT = -3;
    private static final int MAX_PLAIN_EXPONENT = 7;
    private static final int MAX_PLAIN_SCALE = 8;

    private byte[] out = new byte[INITIAL_CAPACITY];
    private int length;

    /** Removes everything. */
    public void clear() {
        length = 0;
    }

    /** Returns the array that contains the text from its start. Replaced when it grows. */
    public byte[] bytes() {
        return out;
    }

    /** Returns the length of the text in bytes. */
    public int length() {
        return length;
    }

    /** Returns a copy of the text. */
    public byte[] toBytes() {
        return Arrays.copyOf(out, length);
    }

    /** Writes the text to a stream and removes it. */
    public void flushTo(OutputStream stream) throws IOException {
        stream.write(out, 0, length);
        length = 0;
    }

    /** Appends a byte. */
    public void put(char ascii) {
        reserve(1);
        out[length++] = (byte) ascii;
    }

    /** Returns a text in quotes, with escapes where JSON needs them. */
    static JsonConstant quoted(String text) {
        JsonBuffer json = new JsonBuffer();
        json.string(text);
        return new JsonConstant(json.toBytes());
    }

    /** Appends a constant. */
    void put(JsonConstant constant) {
        reserve(constant.length());
        constant.copyTo(out, length);
        length += constant.length();
    }

    /** Removes everything from an offset on. */
    public void truncate(int newLength) {
        length = newLength;
    }

    /**
     * Begins an object or an array. Each of its members or elements begins with a comma.
     *
     * @return what the method that ends it receives
     */
    int begin() {
        return length;
    }

    /** Ends an object. */
    void endObject(int start) {
        end(start, '{', '}');
    }

    /** Ends an array. */
    void endArray(int start) {
        end(start, '[', ']');
    }

    /** Replaces the comma before the first member, so that no member has to find out whether it is the first. */
    private void end(int start, char opening, char closing) {
        reserve(2);
        if (length == start) {
            length++;
        }
        out[start] = (byte) opening;
        out[length++] = (byte) closing;
    }

    /** Appends ASCII characters. */
    void ascii(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        reserve(bytes.length);
        System.arraycopy(bytes, 0, out, length, bytes.length);
        length += bytes.length;
    }

    /** Appends a whole number. */
    void number(long value) {
        if (value == Long.MIN_VALUE) {
            ascii(Long.toString(value));
            return;
        }
        reserve(MAX_LONG_BYTES);
        digits(absolute(value));
    }

    /** Appends the number {@code unscaled / 10^scale}, with all decimals. */
    void decimal(long unscaled, int scale) {
        if (scale == 0) {
            number(unscaled);
            return;
        }
        if (unscaled == Long.MIN_VALUE || scale > MAX_SCALE) {
            ascii(BigDecimal.valueOf(unscaled, scale).toPlainString());
            return;
        }
        reserve(MAX_LONG_BYTES + scale + 2);
        long value = absolute(unscaled);
        if (value < WORD_LIMIT && scale < WORD_DIGITS) {
            long digits = digitsOf((int) value);
            int zeros = Math.min(leadingZeros(digits), WORD_DIGITS - 1 - scale);
            point((digits | ZEROS) >>> (Byte.SIZE * zeros), WORD_DIGITS - zeros - scale, scale);
        } else if (scale <= WORD_DIGITS) {
            long high = value / WORD_LIMIT;
            digits(high);
            point(digitsOf((int) (value - high * WORD_LIMIT)) | ZEROS, WORD_DIGITS - scale, scale);
        } else {
            long whole = value / POWERS[scale];
            digits(whole);
            out[length++] = '.';
            padded(value - whole * POWERS[scale], scale);
        }
    }

    /** Writes the sign of a number, and returns its absolute value. */
    private long absolute(long value) {
        if (value < 0) {
            out[length++] = '-';
        }
        return Math.abs(value);
    }

    /** Writes some digits of a word, a point, and the digits after it. */
    private void point(long digits, int whole, int decimals) {
        RawBytes.putLongLe(out, length, digits);
        out[length + whole] = '.';
        RawBytes.putLongLe(out, length + whole + 1, digits >>> (Byte.SIZE * whole));
        length += whole + 1 + decimals;
    }

    /** Writes a number without zeros before. */
    private void digits(long value) {
        if (value >= WORD_LIMIT) {
            long high = value / WORD_LIMIT;
            digits(high);
            word((int) (value - high * WORD_LIMIT), WORD_DIGITS);
            return;
        }
        long digits = digitsOf((int) value);
        int zeros = leadingZeros(digits);
        RawBytes.putLongLe(out, length, (digits | ZEROS) >>> (Byte.SIZE * zeros));
        length += WORD_DIGITS - zeros;
    }

    /** Writes the last digits of a number of at most eight. */
    private void word(int value, int count) {
        RawBytes.putLongLe(out, length, (digitsOf(value) | ZEROS) >>> (Byte.SIZE * (WORD_DIGITS - count)));
        length += count;
    }

    /** Appends a number of so many digits, with zeros before. */
    void padded(long value, int count) {
        reserve(count);
        if (count <= WORD_DIGITS) {
            word((int) value, count);
        } else {
            long high = value / WORD_LIMIT;
            padded(high, count - WORD_DIGITS);
            word((int) (value - high * WORD_LIMIT), WORD_DIGITS);
        }
    }

    /** Appends a date whose year has four digits. */
    void date(int year, int month, int day) {
        reserve(IsoTime.DATE_BYTES);
        long digits = digitsOf((year * 100 + month) * 100 + day) | ZEROS;
        RawBytes.putIntLe(out, length, (int) digits);
        out[length + 4] = '-';
        RawBytes.putShortLe(out, length + 5, (short) (digits >>> 32));
        out[length + 7] = '-';
        RawBytes.putShortLe(out, length + 8, (short) (digits >>> 48));
        length += IsoTime.DATE_BYTES;
    }

    /** Appends a time such as {@code T09:30:00}. */
    void time(int secondOfDay) {
        reserve(TIME_BYTES);
        int minute = secondOfDay / 60;
        int hour = minute / 60;
        long digits = digitsOf((hour * 100 + minute - hour * 60) * 100 + secondOfDay - minute * 60) | ZEROS;
        out[length] = 'T';
        RawBytes.putShortLe(out, length + 1, (short) (digits >>> 16));
        out[length + 3] = ':';
        RawBytes.putShortLe(out, length + 4, (short) (digits >>> 32));
        out[length + 6] = ':';
        RawBytes.putShortLe(out, length + 7, (short) (digits >>> 48));
        length += TIME_BYTES;
    }

    /**
     * Returns the eight decimal digits of a number, one a byte, the first one lowest. Divides all parts of the word at
     * once: four digits, then two, then one.
     */
    private static long digitsOf(int value) {
        int high = value / 10_000;
        long halves = high | ((long) (value - high * 10_000) << 32);
        long hundreds = ((halves * 10_486) >>> 20) & 0x7F_0000_007FL;
        long pairs = hundreds | ((halves - hundreds * 100) << 16);
        long tens = ((pairs * 103) >>> 10) & 0x000F_000F_000F_000FL;
        return tens | ((pairs - tens * 10) << 8);
    }

    /** Returns the number of zeros before the digits of a word, of which one at least is left. */
    private static int leadingZeros(long digits) {
        return Long.numberOfTrailingZeros(digits | (1L << (Long.SIZE - Byte.SIZE))) / Byte.SIZE;
    }

    /**
     * Appends a number with the digits of {@link Double#toString(double)}. NaN and the infinities are not numbers in
     * JSON, and become texts.
     */
    void real(double value) {
        double size = Math.abs(value);
        if (size >= MIN_PLAIN && size < MAX_PLAIN) {
            for (int scale = 1; scale <= MAX_PLAIN_SCALE; scale++) {
                long scaled = Math.round(value * POWERS[scale]);
                if (scaled / (double) POWERS[scale] == value) {
                    decimal(scaled, scale);
                    return;
                }
            }
        }
        real(Double.toString(value), Double.isFinite(value));
    }

    /** Appends a number with the digits of {@link Float#toString(float)}, as {@link #real(double)} does. */
    void real(float value) {
        real(Float.toString(value), Float.isFinite(value));
    }

    private void real(String text, boolean finite) {
        if (finite) {
            ascii(text);
        } else {
            string(text);
        }
    }

    /** Appends the double that is nearest to {@code mantissa / 10^exponent}, with as many digits, if they are few. */
    void real(long mantissa, int exponent) {
        long size = Math.abs(mantissa);
        boolean plain = exponent >= 1
                && exponent <= MAX_PLAIN_SCALE
                && size < POWERS[MAX_PLAIN_EXPONENT + exponent]
                && size >= POWERS[Math.max(0, exponent + MIN_PLAIN_EXPONENT)];
        if (plain) {
            decimal(mantissa, exponent);
        } else {
            real(CompactNumbers.real(mantissa, exponent));
        }
    }

    /** Appends a text in quotes, with escapes where JSON needs them. */
    void string(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        string(utf8, 0, utf8.length);
    }

    /**
     * Appends a text in quotes, with escapes where JSON needs them.
     *
     * @param utf8 array that contains UTF-8
     */
    void string(byte[] utf8, int from, int bytes) {
        if (plainString(utf8, from, bytes)) {
            return;
        }
        // Each byte may become an escape of six.
        reserve(6 * bytes + 2);
        out[length++] = '"';
        int end = from + bytes;
        int at = from;
        while (at < end) {
            int plain = plainBytes(utf8, at, end);
            System.arraycopy(utf8, at, out, length, plain);
            length += plain;
            at += plain;
            if (at < end) {
                escape(utf8[at++]);
            }
        }
        out[length++] = '"';
    }

    /**
     * Appends a text in quotes if it is ASCII without characters that need an escape.
     *
     * @return whether it was appended
     */
    boolean plainString(byte[] text, int from, int bytes) {
        reserve(bytes + 2);
        int at = length + 1;
        long special = 0;
        if (bytes < Long.BYTES) {
            long word = shortText(text, from, bytes);
            RawBytes.putLongLe(out, at, word);
            special = special(word | (SPACES << (Byte.SIZE * bytes)));
        } else {
            // The last word overlaps the previous one, so that no bytes remain.
            int last = bytes - Long.BYTES;
            for (int i = 0; i < last; i += Long.BYTES) {
                special |= copyWord(text, from + i, at + i);
            }
            special |= copyWord(text, from + last, at + last);
        }
        if (special != 0) {
            return false;
        }
        out[length] = '"';
        out[at + bytes] = '"';
        length = at + bytes + 1;
        return true;
    }

    private long copyWord(byte[] text, int from, int at) {
        long word = RawBytes.getLongLe(text, from);
        RawBytes.putLongLe(out, at, word);
        return special(word);
    }

    /** Returns less than eight bytes as a word, the first one lowest. */
    private static long shortText(byte[] text, int from, int bytes) {
        if (from <= text.length - Long.BYTES) {
            return RawBytes.getLongLe(text, from) & ~(-1L << (Byte.SIZE * bytes));
        }
        long word = 0;
        for (int i = 0; i < bytes; i++) {
            word |= (text[from + i] & 0xFFL) << (Byte.SIZE * i);
        }
        return word;
    }

    /** Returns a word that is not 0 if a byte is beyond ASCII or needs an escape. */
    private static long special(long word) {
        return (((word ^ QUOTES) - ONES) | ((word ^ BACKSLASHES) - ONES) | (word - SPACES) | word) & HIGHS;
    }

    /** Returns how many bytes need no escape. */
    private static int plainBytes(byte[] utf8, int from, int end) {
        int at = from;
        while (at < end && utf8[at] != '"' && utf8[at] != '\\' && (utf8[at] < 0 || utf8[at] >= ' ')) {
            at++;
        }
        return at - from;
    }

    private void escape(byte character) {
        out[length++] = '\\';
        switch (character) {
            case '"', '\\' -> out[length++] = character;
            case '\b' -> out[length++] = 'b';
            case '\f' -> out[length++] = 'f';
            case '\n' -> out[length++] = 'n';
            case '\r' -> out[length++] = 'r';
            case '\t' -> out[length++] = 't';
            default -> {
                out[length++] = 'u';
                out[length++] = '0';
                out[length++] = '0';
                out[length++] = HEX[character >> 4];
                out[length++] = HEX[character & 0xF];
            }
        }
    }

    /** Makes space for more bytes, and for words that begin at one of them. */
    private void reserve(int more) {
        int needed = length + more + Long.BYTES;
        if (needed > out.length) {
            grow(needed);
        }
    }

    private void grow(int needed) {
        if (needed > MAX_BYTES) {
            throw new JsonTooLongException();
        }
        out = Arrays.copyOf(out, Math.max(needed, Math.min(2 * out.length, MAX_BYTES)));
    }
}
