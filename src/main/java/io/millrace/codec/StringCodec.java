package io.millrace.codec;

import io.millrace.schema.Constraint;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes text of a fixed width in ASCII, Latin-1 or UTF-8, padded at its end. An optional field without a
 * null flag can't hold the empty text, which stands for absent.
 */
@API(status = API.Status.STABLE)
public final class StringCodec extends TextCodec {

    private final int width;
    private final Charset charset;
    private final int largest;
    private final byte pad;
    private final boolean constrained;

    StringCodec(Field field, FieldType.StringType type) {
        super(field);
        width = type.bytes();
        charset = type.charset();
        pad = type.pad();
        constrained = !field.constraint().equals(Constraint.NONE);
        if (charset.equals(StandardCharsets.US_ASCII)) {
            largest = 0x7F;
        } else if (charset.equals(StandardCharsets.ISO_8859_1)) {
            largest = 0xFF;
        } else if (charset.equals(StandardCharsets.UTF_8)) {
            largest = Character.MAX_CODE_POINT;
        } else {
            throw new IllegalArgumentException(
                    "Invalid charset '" + charset + "'. Use one of: US-ASCII, ISO-8859-1, UTF-8.");
        }
    }

    /** Returns the length of the text in bytes, without the padding. Allocates nothing. */
    public int length(byte[] bytes, int record) {
        return RawBytes.trimmed(bytes, at(record), width, pad);
    }

    /** Returns the text without its padding. */
    @Override
    public String get(byte[] bytes, int record) {
        int length = length(bytes, record);
        if (!decodable(bytes, at(record), length)) {
            throw refuse(raw(bytes, record), notText());
        }
        return new String(bytes, at(record), length, charset);
    }

    /** Writes text and pads it. Allocates nothing for ASCII and Latin-1. */
    @Override
    public void put(byte[] bytes, int record, String value) {
        if (value.isEmpty() && reservesValue()) {
            throw refuse(value, "Use another text, or null: an empty one stands for absent.");
        }
        String refusal = field().constraint().refusal(value);
        if (refusal != null) {
            throw refuse(value, refusal);
        }
        if (!value.isEmpty() && value.charAt(value.length() - 1) == pad) {
            throw refuse(value, "Remove its last character, which would be read as padding.");
        }
        if (largest == Character.MAX_CODE_POINT) {
            putUtf8(bytes, at(record), value);
        } else {
            putNarrow(bytes, at(record), value);
        }
        markPresent(bytes, record);
    }

    /**
     * Writes text that is well-formed UTF-8, if its bytes are those of the field's charset and no constraint needs its
     * characters. Otherwise {@link #put} has to write it, or to report what is wrong. Allocates nothing.
     *
     * @param ascii whether all characters are ASCII
     * @return whether the text was written
     */
    @API(status = API.Status.INTERNAL)
    public boolean putUtf8(byte[] bytes, int record, byte[] text, int from, int length, boolean ascii) {
        boolean sameBytes = ascii || largest == Character.MAX_CODE_POINT;
        boolean endsInPadding = length > 0 && text[from + length - 1] == pad;
        boolean standsForAbsent = length == 0 && reservesValue();
        if (!sameBytes || length > width || endsInPadding || standsForAbsent || constrained) {
            return false;
        }
        int at = at(record);
        RawBytes.copy(text, from, bytes, at, length);
        Arrays.fill(bytes, at + length, at + width, pad);
        markPresent(bytes, record);
        return true;
    }

    private void putNarrow(byte[] bytes, int at, String value) {
        if (value.length() > width) {
            throw tooLong(value, value.length());
        }
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) > largest) {
                throw refuse(value, wrongCharacters());
            }
        }
        Arrays.fill(bytes, at, at + width, pad);
        for (int i = 0; i < value.length(); i++) {
            bytes[at + i] = (byte) value.charAt(i);
        }
    }

    private void putUtf8(byte[] bytes, int at, String value) {
        byte[] encoded = value.getBytes(charset);
        if (!new String(encoded, charset).equals(value)) {
            throw refuse(value, wrongCharacters());
        }
        if (encoded.length > width) {
            throw tooLong(value, encoded.length);
        }
        Arrays.fill(bytes, at, at + width, pad);
        System.arraycopy(encoded, 0, bytes, at, encoded.length);
    }

    private FieldValueException tooLong(String value, int length) {
        return refuse(value, "Use at most " + width + " bytes, not " + length + ".");
    }

    private String wrongCharacters() {
        return "Use characters of " + charset + ".";
    }

    /** Returns whether bytes are valid in the charset. Allocates only for UTF-8 beyond ASCII. */
    private boolean decodable(byte[] bytes, int at, int length) {
        return largest == 0xFF
                || allAscii(bytes, at, length)
                || (largest == Character.MAX_CODE_POINT && wellFormedUtf8(bytes, at, length));
    }

    private static boolean allAscii(byte[] bytes, int at, int length) {
        int all = 0;
        for (int i = at; i < at + length; i++) {
            all |= bytes[i];
        }
        return all >= 0;
    }

    private static boolean wellFormedUtf8(byte[] bytes, int at, int length) {
        byte[] reencoded = new String(bytes, at, length, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
        return Arrays.equals(reencoded, 0, reencoded.length, bytes, at, at + length);
    }

    private String notText() {
        return "The bytes are not text in " + charset + ".";
    }

    /** Returns whether all byte sequences of this width are valid text. */
    boolean takesAnyBytes() {
        return largest == 0xFF;
    }

    @Override
    boolean emptyTextIsValue() {
        return true;
    }

    @Override
    @Nullable
    String faultOfPresent(byte[] bytes, int record) {
        return decodable(bytes, at(record), length(bytes, record)) ? null : notText();
    }

    @Override
    @Nullable
    String violationOfPresent(byte[] bytes, int record) {
        String fault = faultOfPresent(bytes, record);
        return fault == null ? field().constraint().refusal(get(bytes, record)) : fault;
    }

    @Override
    boolean holdsAbsent(byte[] bytes, int record) {
        return length(bytes, record) == 0;
    }

    @Override
    void writeAbsent(byte[] bytes, int record) {
        Arrays.fill(bytes, at(record), at(record) + width, pad);
    }

    @Override
    Object raw(byte[] bytes, int record) {
        return Arrays.copyOfRange(bytes, at(record), at(record) + width);
    }

    @Override
    boolean refusesBytes() {
        return !takesAnyBytes();
    }
}
