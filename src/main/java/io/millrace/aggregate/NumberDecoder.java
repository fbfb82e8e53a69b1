package io.millrace.aggregate;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordCodec;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes the values of raw numbers of a type. Immutable. */
final class NumberDecoder {

    private static final String VALUE = "value";

    private final FieldType.Numbered type;
    private final FieldCodec codec;

    /** @param type of numbers, or of values that are stored as numbers */
    NumberDecoder(FieldType type) {
        this.type = (FieldType.Numbered) type;
        Schema schema = new Schema(VALUE, 0, List.of(), List.of()).extend(Field.of(VALUE, type, 0));
        codec = RecordCodec.of(schema).codec(VALUE);
    }

    /**
     * Returns the value of a raw number.
     *
     * @throws io.millrace.codec.FieldValueException if it does not represent a value
     */
    @Nullable
    Object value(long number) {
        byte[] bytes = new byte[type.bytes()];
        RawBytes.put(bytes, 0, type.storage(), number);
        return codec.value(bytes, 0);
    }
}
