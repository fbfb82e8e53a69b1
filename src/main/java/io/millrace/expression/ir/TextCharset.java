package io.millrace.expression.ir;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** The character sets of texts in ascending order: each can encode all texts that the ones before it can. */
public enum TextCharset {
    ASCII(StandardCharsets.US_ASCII),
    LATIN1(StandardCharsets.ISO_8859_1),
    UTF8(StandardCharsets.UTF_8);

    private final Charset charset;

    TextCharset(Charset charset) {
        this.charset = charset;
    }

    public Charset charset() {
        return charset;
    }

    /** Returns the constant for a character set of Java. */
    public static TextCharset of(Charset charset) {
        for (TextCharset known : values()) {
            if (known.charset.equals(charset)) {
                return known;
            }
        }
        throw new IllegalArgumentException("Invalid charset '" + charset + "' of a text field.");
    }

    /** Returns the smallest character set that can encode a text. */
    public static TextCharset smallest(String text) {
        int all = text.chars().reduce(0, (a, b) -> a | b);
        return all < 0x80 ? ASCII : all < 0x100 ? LATIN1 : UTF8;
    }

    /** Returns the larger of two character sets, which can encode the texts of both. */
    public TextCharset join(TextCharset other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /**
     * Encodes a text.
     *
     * @throws IllegalArgumentException if the text cannot be encoded
     */
    public byte[] encode(String text) {
        try {
            var encoded = charset.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("it can't be written in " + charset, e);
        }
    }
}
