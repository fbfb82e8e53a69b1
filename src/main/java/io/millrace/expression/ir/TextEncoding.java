package io.millrace.expression.ir;

import io.millrace.codec.IpText;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
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

    /**
     * Returns whether a text is that which the bytes of an absent value would be read as, so that no value equals it.
     */
    public static boolean meansAbsent(Field field, String value) {
        if (!field.optional() || field.nullFlag()) {
            return false;
        }
        byte pad = pad(field.type());
        for (byte part : encode(field.type(), value)) {
            if (part != pad) {
                return false;
            }
        }
        return true;
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
        byte[] bytes = IpText.parse(value, width);
        if (bytes == null) {
            boolean otherVersion = IpText.parse(value, width == 4 ? 16 : 4) != null;
            throw new IllegalArgumentException(
                    otherVersion ? "the field holds addresses of " + width + " bytes" : "it is not an IP address");
        }
        return bytes;
    }
}
