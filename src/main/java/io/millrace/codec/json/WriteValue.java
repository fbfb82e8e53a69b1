package io.millrace.codec.json;

import io.millrace.codec.DoubleCodec;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.NumberedCodec;
import io.millrace.codec.StringCodec;
import io.millrace.schema.FieldType;
import java.nio.charset.StandardCharsets;

/** Writes the value of a field in a row, which is there and valid, as JSON. Not thread-safe. */
@FunctionalInterface
interface WriteValue {

    /** @param at offset of the row */
    void write(JsonBuffer json, byte[] row, int at);

    /** Returns the writer of a field. */
    static WriteValue of(FieldCodec codec) {
        return switch (codec) {
            case NumberedCodec number -> {
                WriteNumber writer = WriteNumber.of(number.field());
                yield (json, row, at) -> writer.write(json, number.rawNumber(row, at));
            }
            case DoubleCodec real
            when real.field().type().bytes() == Double.BYTES -> (json, row, at) -> json.real(real.get(row, at));
            case DoubleCodec real -> (json, row, at) -> json.real((float) real.get(row, at));
            case StringCodec text
            when isUtf8(text) ->
                (json, row, at) -> json.string(row, at + text.field().offset(), text.length(row, at));
            default -> (json, row, at) -> json.string(codec.text(row, at));
        };
    }

    /** Returns whether the bytes of a text are UTF-8. */
    private static boolean isUtf8(StringCodec codec) {
        return codec.field().type() instanceof FieldType.StringType type
                && !type.charset().equals(StandardCharsets.ISO_8859_1);
    }
}
