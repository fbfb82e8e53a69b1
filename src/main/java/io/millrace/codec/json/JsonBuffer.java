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

    private static final int INITIAL_CAPACITY = 512;

    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGHS = 0x8080_8080_8080_8080L;
    private static final long QUOTES = '"' * ONES;
    private static final long BACKSLASHES = '\\' * ONES;
    private static final long SPACES = ' ' * ONES;

    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MIN_LONG = Long.toString(Long.MIN_VALUE).getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_LONG_BYTES = 20;
    private static final int MAX_DIGITS = 19;
    private static final long[] POWERS =
            LongStream.iterate(1, power -> 10 * power).limit(MAX_DIGITS).toArray();

    /**
     * Within these bounds, a double has no exponent in its text, and with at most {@link #MAX_PLAIN_SCALE} decimals at
     * most 15 digits. Doubles are the only ones nearest to decimals of so many digits, so these are its shortest text.
     */
    private static final double MIN_PLAIN = 1e-3;

    private static final double MAX_PLAIN = 1e7;
    private static final int MAX_PLAIN_SCALE = 8;

    /** The decimal digits of 0 to 99, each as the two bytes of a short. */
    private static final short[] PAIRS = new short[100];

    static {
        for (int i = 0; i < PAIRS.length; i++) {
            PAIRS[i] = (short) (('0' + i / 10) << 8 | ('0' + i % 10));
        }
    }

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

    /** Appends bytes as they are. */
    void put(byte[] text) {
        reserve(text.length);
        RawBytes.copy(text, 0, out, length, text.length);
        length += text.length;
    }

    /** Appends the name of a member and its colon: {@code ,"name":}, without the comma after the start of an object. */
    void name(byte[] commaAndName) {
        int skipped = out[length - 1] == '{' ? 1 : 0;
        int more = commaAndName.length - skipped;
        reserve(more);
        RawBytes.copy(commaAndName, skipped, out, length, more);
        length += more;
    }

    /** Returns a text in quotes, with escapes where JSON needs them. */
    static byte[] quoted(String text) {
        JsonBuffer json = new JsonBuffer();
        json.string(text);
        return json.toBytes();
    }

    /** Appends ASCII characters. */
    void ascii(String text) {
        put(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Appends a whole number. */
    void number(long value) {
        reserve(MAX_LONG_BYTES);
        if (value >= 0) {
            digits(value, digitCount(value));
        } else if (value == Long.MIN_VALUE) {
            put(MIN_LONG);
        } else {
            out[length++] = '-';
            digits(-value, digitCount(-value));
        }
    }

    /** Appends the number {@code unscaled / 10^scale}, with all decimals. */
    void decimal(long unscaled, int scale) {
        reserve(MAX_LONG_BYTES + scale + 2);
        if (unscaled == Long.MIN_VALUE) {
            ascii(BigDecimal.valueOf(unscaled, scale).toPlainString());
            return;
        }
        if (unscaled < 0) {
            out[length++] = '-';
        }
        long digits = Math.abs(unscaled);
        int count = Math.max(digitCount(digits), scale + 1);
        digits(digits, count);
        if (scale > 0) {
            System.arraycopy(out, length - scale, out, length - scale + 1, scale);
            out[length - scale] = '.';
            length++;
        }
    }

    /** Appends digits, with zeros before. The buffer has space for them. */
    private void digits(long value, int count) {
        int at = length + count;
        length = at;
        long rest = value;
        int left = count;
        while (left >= 2) {
            long next = rest / 100;
            at -= 2;
            RawBytes.putShort(out, at, PAIRS[(int) (rest - next * 100)]);
            rest = next;
            left -= 2;
        }
        if (left == 1) {
            out[at - 1] = (byte) ('0' + rest);
        }
    }

    /** Appends a number of two, three, four, six or nine digits, with zeros before. */
    void padded(long value, int count) {
        reserve(count);
        digits(value, count);
    }

    private static int digitCount(long value) {
        int count = 1;
        while (count < MAX_DIGITS && value >= POWERS[count]) {
            count++;
        }
        return count;
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
                && size < MAX_PLAIN * POWERS[exponent]
                && size >= MIN_PLAIN * POWERS[exponent];
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
        // Each byte may become an escape of six.
        reserve(6 * bytes + 2);
        out[length++] = '"';
        int end = from + bytes;
        int at = from;
        while (at < end) {
            int plain = plainBytes(utf8, at, end);
            RawBytes.copy(utf8, at, out, length, plain);
            length += plain;
            at += plain;
            if (at < end) {
                escape(utf8[at++]);
            }
        }
        out[length++] = '"';
    }

    /** Returns how many bytes need no escape. */
    private static int plainBytes(byte[] utf8, int from, int end) {
        int at = from;
        while (at + Long.BYTES <= end) {
            long word = RawBytes.getLongLe(utf8, at);
            long quotes = word ^ QUOTES;
            long backslashes = word ^ BACKSLASHES;
            // Bytes beyond ASCII need no escape: the high bit of the word excludes them.
            long found = ((quotes - ONES) | (backslashes - ONES) | (word - SPACES)) & ~word & HIGHS;
            if (found != 0) {
                break;
            }
            at += Long.BYTES;
        }
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

    private void reserve(int more) {
        if (length + more > out.length) {
            out = Arrays.copyOf(out, Math.max(length + more, 2 * out.length));
        }
    }
}
