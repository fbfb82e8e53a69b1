package io.millrace.expression.ir;

import io.millrace.schema.FieldType;
import java.net.InetAddress;
import java.nio.charset.Charset;
import java.util.Arrays;

/** Encodes constant texts as the bytes of a field. */
public final class TextEncoding {

    private TextEncoding() {}

    /**
     * Returns the bytes of a field that contains a text.
     *
     * @throws IllegalArgumentException if no bytes of this field decode to this text; the message contains the reason
     */
    public static byte[] encode(FieldType type, String value) {
        return switch (type) {
            case FieldType.StringType(int width, var charset, byte pad) -> encodeText(width, charset, pad, value);
            case FieldType.IpType(int width) -> encodeAddress(width, value);
            default -> throw new IllegalArgumentException("bytes can't be written as text");
        };
    }

    /** Returns the padding byte of a field; a text of padding only is empty. */
    public static byte pad(FieldType type) {
        return type instanceof FieldType.StringType(var ignoredBytes, var ignoredCharset, byte pad) ? pad : 0;
    }

    private static byte[] encodeText(int width, Charset charset, byte pad, String value) {
        byte[] encoded = TextCharset.of(charset).encode(value);
        int length = encoded.length;
        if (length > width) {
            throw new IllegalArgumentException("it takes " + length + " bytes, the field has " + width);
        }
        byte[] bytes = Arrays.copyOf(encoded, width);
        Arrays.fill(bytes, length, width, pad);
        if (length > 0 && bytes[length - 1] == pad) {
            throw new IllegalArgumentException("it ends with the field's padding, which is never part of a value");
        }
        return bytes;
    }

    private static byte[] encodeAddress(int width, String value) {
        byte[] bytes;
        try {
            bytes = InetAddress.ofLiteral(value).getAddress();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("it is not an IP address", e);
        }
        if (bytes.length != width) {
            throw new IllegalArgumentException("the field holds addresses of " + width + " bytes");
        }
        return bytes;
    }
}
