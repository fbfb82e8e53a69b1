package io.millrace.expression.ir;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** The character sets of texts, smaller ones first: what one can write, all that follow can. */
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

    /** The one of these that a character set of Java's is. */
    public static TextCharset of(Charset charset) {
        for (TextCharset known : values()) {
            if (known.charset.equals(charset)) {
                return known;
            }
        }
        throw new IllegalArgumentException("charset=" + charset + " is none of a text field");
    }

    /** The smallest that can write a text. */
    public static TextCharset smallest(String text) {
        int all = text.chars().reduce(0, (a, b) -> a | b);
        return all < 0x80 ? ASCII : all < 0x100 ? LATIN1 : UTF8;
    }

    /** The larger of two, which can write the texts of both. */
    public TextCharset join(TextCharset other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /**
     * The bytes of a text.
     *
     * @throws IllegalArgumentException where the text can't be written
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
