package io.millrace.codec;

import io.millrace.schema.Field;
import org.apiguardian.api.API;

/** Reads and writes a field whose value is a text. */
@API(status = API.Status.STABLE)
public abstract sealed class TextCodec extends FieldCodec permits StringCodec, IpCodec {

    TextCodec(Field field) {
        super(field);
    }

    /** Returns the text. */
    public abstract String get(byte[] bytes, int record);

    /** Writes a text. */
    public abstract void put(byte[] bytes, int record, String text);

    @Override
    final Object decode(byte[] bytes, int record) {
        return get(bytes, record);
    }

    @Override
    final void encode(byte[] bytes, int record, Object value) {
        if (!(value instanceof String text)) {
            throw refuseType(value, "a String");
        }
        put(bytes, record, text);
    }

    @Override
    final String format(byte[] bytes, int record) {
        return get(bytes, record);
    }

    @Override
    final void parse(byte[] bytes, int record, String text) {
        put(bytes, record, text);
    }
}
