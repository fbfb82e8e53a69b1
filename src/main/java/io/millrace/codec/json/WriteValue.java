package io.millrace.codec.json;

import io.millrace.codec.BooleanCodec;
import io.millrace.codec.DateCodec;
import io.millrace.codec.DecimalCodec;
import io.millrace.codec.DoubleCodec;
import io.millrace.codec.EnumCodec;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.InstantCodec;
import io.millrace.codec.LongCodec;
import io.millrace.codec.StringCodec;
import io.millrace.schema.FieldType;
import java.nio.charset.StandardCharsets;

/** Writes the value of a field, which is there and valid, as JSON. Stateless. */
@FunctionalInterface
interface WriteValue {

    /** @param at offset of the row */
    void write(JsonBuffer json, byte[] row, int at);

    /** Returns the writer of a field. */
    static WriteValue of(FieldCodec codec) {
        return switch (codec) {
            case LongCodec whole -> whole(whole);
            case DecimalCodec decimal when !decimal.storage().unsignedLong() ->
                (json, row, at) -> json.decimal(decimal.unscaled(row, at), decimal.scale());
            case DecimalCodec decimal -> (json, row, at) -> json.ascii(decimal.text(row, at));
            case BooleanCodec truth -> (json, row, at) -> json.ascii(truth.get(row, at) ? "true" : "false");
            case DoubleCodec real -> real(real);
            case EnumCodec name -> name(name);
            case StringCodec text when utf8(text) ->
                (json, row, at) -> json.string(row, at + text.field().offset(), text.length(row, at));
            case DateCodec day when day.field().format() == null ->
                (json, row, at) -> {
                    if (!IsoTime.writeDay(day.epochDay(row, at), json)) {
                        string(day, json, row, at);
                    }
                };
            case InstantCodec instant when instant.field().format() == null -> instant(instant);
            default -> (json, row, at) -> string(codec, json, row, at);
        };
    }

    private static WriteValue whole(LongCodec codec) {
        return (json, row, at) -> {
            long number = codec.get(row, at);
            if (number < 0 && codec.storage().unsignedLong()) {
                json.ascii(Long.toUnsignedString(number));
            } else {
                json.number(number);
            }
        };
    }

    private static WriteValue real(DoubleCodec codec) {
        boolean wide = codec.field().type().bytes() == Double.BYTES;
        return (json, row, at) -> {
            double value = codec.get(row, at);
            if (!Double.isFinite(value)) {
                json.quoted(Double.toString(value));
            } else if (!wide) {
                json.ascii(Float.toString((float) value));
            } else {
                json.real(value);
            }
        };
    }

    private static WriteValue name(EnumCodec codec) {
        byte[][] texts = new byte[codec.dictionary().lastCode() + 1][];
        JsonBuffer text = new JsonBuffer();
        codec.dictionary().namesByCode().forEach((code, name) -> {
            text.clear();
            text.string(name);
            texts[code] = text.toBytes();
        });
        return (json, row, at) -> json.put(texts[(int) codec.code(row, at)]);
    }

    private static WriteValue instant(InstantCodec codec) {
        IsoTime time = new IsoTime(codec.unit());
        boolean unsigned = codec.storage().unsignedLong();
        return (json, row, at) -> {
            long units = codec.epochUnits(row, at);
            if ((unsigned && units < 0) || !time.writeUnits(units, json)) {
                string(codec, json, row, at);
            }
        };
    }

    /** Returns whether the bytes of a text are UTF-8. */
    private static boolean utf8(StringCodec codec) {
        return codec.field().type() instanceof FieldType.StringType type
                && !type.charset().equals(StandardCharsets.ISO_8859_1);
    }

    private static void string(FieldCodec codec, JsonBuffer json, byte[] row, int at) {
        json.string(codec.text(row, at));
    }
}
