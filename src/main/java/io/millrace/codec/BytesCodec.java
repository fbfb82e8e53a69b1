package io.millrace.codec;

import io.millrace.schema.Field;
import java.util.Arrays;
import java.util.HexFormat;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Reads and writes byte strings of a fixed width. Their text form is hexadecimal. */
@API(status = API.Status.STABLE)
public final class BytesCodec extends FieldCodec {

    private final int width;

    BytesCodec(Field field) {
        super(field);
        width = field.type().bytes();
    }

    /** Copies the bytes to an array. Allocates nothing. */
    public void get(byte[] bytes, int record, byte[] into, int intoAt) {
        System.arraycopy(bytes, at(record), into, intoAt, width);
    }

    /** Returns a copy of the bytes. */
    public byte[] get(byte[] bytes, int record) {
        byte[] copy = new byte[width];
        get(bytes, record, copy, 0);
        return copy;
    }

    /** Writes bytes, whose number must equal the width of the field. Allocates nothing. */
    public void put(byte[] bytes, int record, byte[] value) {
        if (value.length != width) {
            throw refuse(value, "Use " + width + " bytes, not " + value.length + ".");
        }
        if (reservesValue() && allZero(value, 0, width)) {
            throw refuse(value, RESERVED);
        }
        System.arraycopy(value, 0, bytes, at(record), width);
        markPresent(bytes, record);
    }

    static boolean allZero(byte[] bytes, int at, int width) {
        int all = 0;
        for (int i = at; i < at + width; i++) {
            all |= bytes[i];
        }
        return all == 0;
    }

    @Override
    @Nullable
    String faultOfPresent(byte[] bytes, int record) {
        return null;
    }

    @Override
    boolean holdsAbsent(byte[] bytes, int record) {
        return allZero(bytes, at(record), width);
    }

    @Override
    void writeAbsent(byte[] bytes, int record) {
        Arrays.fill(bytes, at(record), at(record) + width, (byte) 0);
    }

    @Override
    Object decode(byte[] bytes, int record) {
        return get(bytes, record);
    }

    @Override
    void encode(byte[] bytes, int record, Object value) {
        if (!(value instanceof byte[] content)) {
            throw refuseType(value, "a byte[]");
        }
        put(bytes, record, content);
    }

    @Override
    String format(byte[] bytes, int record) {
        return HexFormat.of().formatHex(bytes, at(record), at(record) + width);
    }

    @Override
    void parse(byte[] bytes, int record, String text) {
        byte[] value;
        try {
            value = HexFormat.of().parseHex(text);
        } catch (IllegalArgumentException _) {
            throw refuse(text, "Use hexadecimal digits.");
        }
        put(bytes, record, value);
    }

    @Override
    Object raw(byte[] bytes, int record) {
        return get(bytes, record);
    }

    @Override
    boolean refusesBytes() {
        return false;
    }
}
