package io.millrace.codec.json;

import io.millrace.codec.BooleanCodec;
import io.millrace.codec.DateCodec;
import io.millrace.codec.DecimalCodec;
import io.millrace.codec.EnumCodec;
import io.millrace.codec.FieldCodecs;
import io.millrace.codec.InstantCodec;
import io.millrace.codec.NumberedCodec;
import io.millrace.codec.RawBytes;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import org.jspecify.annotations.Nullable;

/** Writes a value that is stored as a number, which is valid, as JSON. Not thread-safe. */
@FunctionalInterface
interface WriteNumber {

    /**
     * Writes the value.
     *
     * @param raw stored number; of an unsigned 64-bit one the long of the same bits
     */
    void write(JsonBuffer json, long raw);

    /** Returns the writer of a field whose type is numbered. */
    static WriteNumber of(Field field) {
        NumberedCodec codec = (NumberedCodec) FieldCodecs.of(field.at(0));
        boolean unsigned = codec.storage().unsignedLong();
        WriteNumber text = text(codec);
        return switch (codec) {
            case EnumCodec name -> name(name);
            case BooleanCodec _ -> truth();
            case DateCodec day
            when day.field().format() == null ->
                (json, raw) -> {
                    if (!IsoTime.writeDay(raw, json)) {
                        text.write(json, raw);
                    }
                };
            case InstantCodec instant
            when instant.field().format() == null -> {
                IsoTime time = new IsoTime(instant.unit());
                yield (json, raw) -> {
                    if ((unsigned && raw < 0) || !time.writeUnits(raw, json)) {
                        text.write(json, raw);
                    }
                };
            }
            case DateCodec _, InstantCodec _ -> text;
            case DecimalCodec decimal when !unsigned -> (json, raw) -> json.decimal(raw, decimal.scale());
            default ->
                (json, raw) -> {
                    if (unsigned && raw < 0) {
                        json.ascii(text(codec, raw));
                    } else {
                        json.number(raw);
                    }
                };
        };
    }

    private static WriteNumber name(EnumCodec codec) {
        @Nullable JsonConstant[] names = names(codec.dictionary());
        return (json, raw) -> {
            JsonConstant name = raw >= 0 && raw < names.length ? names[(int) raw] : null;
            if (name != null) {
                json.put(name);
            } else {
                json.string(String.valueOf(codec.dictionary().name(raw)));
            }
        };
    }

    /** Returns the names of an enumeration by code; null where a code has none. */
    static @Nullable JsonConstant[] names(Dictionary dictionary) {
        @Nullable
        JsonConstant[] names =
                new @Nullable JsonConstant[dictionary.namesByCode().lastKey() + 1];
        dictionary.namesByCode().forEach((code, name) -> names[code] = JsonBuffer.quoted(name));
        return names;
    }

    private static WriteNumber truth() {
        return (json, raw) -> json.put(raw == 0 ? JsonConstant.FALSE : JsonConstant.TRUE);
    }

    private static WriteNumber text(NumberedCodec codec) {
        return (json, raw) -> json.string(text(codec, raw));
    }

    private static String text(NumberedCodec codec, long raw) {
        byte[] row = new byte[codec.field().end()];
        RawBytes.put(row, 0, codec.storage(), raw);
        return codec.text(row, 0);
    }
}
