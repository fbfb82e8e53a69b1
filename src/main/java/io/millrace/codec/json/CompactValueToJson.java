package io.millrace.codec.json;

import static io.millrace.codec.compact.FinderSteps.UNEXPECTED;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldCodecs;
import io.millrace.codec.RawBytes;
import io.millrace.codec.compact.CompactNumbers;
import io.millrace.codec.compact.FinderSteps;
import io.millrace.codec.compact.TextCheck;
import io.millrace.codec.compact.Varint;
import io.millrace.schema.CompactValue;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Checks a value of a compact record, which is there and not a bit, and writes it as JSON. Checks what admission does
 * ({@link io.millrace.codec.compact.CompactFinder}). Not thread-safe.
 */
@FunctionalInterface
interface CompactValueToJson {

    /**
     * Writes the value.
     *
     * @param at offset of the value
     * @param end offset past what contains it
     * @return offset past the value, or {@link FinderSteps#UNEXPECTED} if the value is malformed. It may then be
     *     written in part
     */
    int write(JsonBuffer json, byte[] record, int at, int end);

    /** Returns the writer of a value. */
    static CompactValueToJson of(CompactValue value, JsonForm form) {
        Field field = form == JsonForm.API ? value.field().withoutFormat() : value.field();
        return switch (field.type()) {
            case FieldType.StringType type -> text(value, type);
            case FieldType.FloatType type ->
                type.bytes() == Double.BYTES ? CompactValueToJson::real : CompactValueToJson::narrowReal;
            case FieldType.DecimalType type -> decimal(field, type.storage());
            case FieldType.DateType type -> signed(field, type.storage(), CompactNumbers.EPOCH_DAY);
            case FieldType.EnumType type -> name(type.dictionary());
            case FieldType.BooleanType _ -> code(JsonConstant.FALSE, JsonConstant.TRUE);
            case FieldType.Numbered type when type.storage().signed() -> signed(field, type.storage(), 0);
            case FieldType.Numbered type -> unsigned(field, type.storage());
            case FieldType.BytesType _, FieldType.IpType _ -> raw(field);
        };
    }

    /** @param zero number that is stored as 0 */
    private static CompactValueToJson signed(Field field, IntStorage storage, long zero) {
        WriteNumber writer = WriteNumber.of(field);
        return (json, record, at, end) -> {
            int next = FinderSteps.varintEnd(record, at, end);
            if (next < 0) {
                return UNEXPECTED;
            }
            long raw = Varint.unzigzag(Varint.get(record, at)) + zero;
            if (!storage.holds(raw)) {
                return UNEXPECTED;
            }
            writer.write(json, raw);
            return next;
        };
    }

    private static CompactValueToJson unsigned(Field field, IntStorage storage) {
        WriteNumber writer = WriteNumber.of(field);
        return (json, record, at, end) -> {
            int next = FinderSteps.varintEnd(record, at, end);
            if (next < 0) {
                return UNEXPECTED;
            }
            long raw = Varint.get(record, at);
            if (!storage.holds(raw)) {
                return UNEXPECTED;
            }
            writer.write(json, raw);
            return next;
        };
    }

    private static CompactValueToJson name(Dictionary dictionary) {
        @Nullable JsonConstant[] names = WriteNumber.names(dictionary);
        CompactValueToJson named = code(names);
        return !dictionary.keepsUnknown()
                ? named
                : (json, record, at, end) -> {
                    int next = named.write(json, record, at, end);
                    if (next >= 0 || FinderSteps.varintEnd(record, at, end) < 0) {
                        return next;
                    }
                    String text = dictionary.name(Varint.get(record, at));
                    if (text == null) {
                        return UNEXPECTED;
                    }
                    json.string(text);
                    return FinderSteps.varintEnd(record, at, end);
                };
    }

    private static CompactValueToJson code(@Nullable JsonConstant... names) {
        return (json, record, at, end) -> {
            int next = FinderSteps.varintEnd(record, at, end);
            if (next < 0) {
                return UNEXPECTED;
            }
            long code = Varint.get(record, at);
            if (code < 0 || code >= names.length || names[(int) code] == null) {
                return UNEXPECTED;
            }
            json.put(names[(int) code]);
            return next;
        };
    }

    private static CompactValueToJson decimal(Field field, IntStorage storage) {
        WriteNumber writer = WriteNumber.of(field);
        return (json, record, at, end) -> {
            int next = FinderSteps.varintEnd(record, at, end);
            if (next < 0) {
                return UNEXPECTED;
            }
            long raw;
            try {
                raw = CompactNumbers.decimal(Varint.get(record, at), next - at);
            } catch (ArithmeticException _) {
                return UNEXPECTED;
            }
            if (!storage.holds(raw)) {
                return UNEXPECTED;
            }
            writer.write(json, raw);
            return next;
        };
    }

    private static int real(JsonBuffer json, byte[] record, int at, int end) {
        int next = FinderSteps.realEnd(record, at, end);
        if (next < 0) {
            return UNEXPECTED;
        }
        int head = record[at];
        switch (head) {
            case CompactNumbers.DOUBLE -> json.real(Double.longBitsToDouble(RawBytes.getLong(record, at + 1)));
            case CompactNumbers.FLOAT -> json.real((double) Float.intBitsToFloat(RawBytes.getInt(record, at + 1)));
            default -> json.real(Varint.unzigzag(Varint.get(record, at + 1)), head);
        }
        return next;
    }

    private static int narrowReal(JsonBuffer json, byte[] record, int at, int end) {
        int next = FinderSteps.realEnd(record, at, end);
        if (next < 0) {
            return UNEXPECTED;
        }
        int head = record[at];
        json.real(
                switch (head) {
                    case CompactNumbers.DOUBLE -> (float) Double.longBitsToDouble(RawBytes.getLong(record, at + 1));
                    case CompactNumbers.FLOAT -> Float.intBitsToFloat(RawBytes.getInt(record, at + 1));
                    default -> (float) CompactNumbers.real(Varint.unzigzag(Varint.get(record, at + 1)), head);
                });
        return next;
    }

    private static CompactValueToJson text(CompactValue value, FieldType.StringType type) {
        CompactValueToJson written = text(type);
        if (value.frequent().isEmpty()) {
            return written;
        }
        JsonConstant[] frequent =
                value.frequent().stream().map(JsonBuffer::quoted).toArray(JsonConstant[]::new);
        return (json, record, at, end) -> {
            int next = FinderSteps.varintEnd(record, at, end);
            if (next < 0) {
                return UNEXPECTED;
            }
            long number = Varint.get(record, at);
            if (number == 0) {
                return written.write(json, record, next, end);
            }
            if (number < 0 || number > frequent.length) {
                return UNEXPECTED;
            }
            json.put(frequent[(int) number - 1]);
            return next;
        };
    }

    private static CompactValueToJson text(FieldType.StringType type) {
        Charset charset = type.charset();
        boolean utf8 = !charset.equals(StandardCharsets.ISO_8859_1);
        int maxBytes = type.bytes();
        return (json, record, at, end) -> {
            int from = FinderSteps.varintEnd(record, at, end);
            int limit = from < 0 ? UNEXPECTED : FinderSteps.partEnd(record, at, from, end);
            int length = limit - from;
            if (limit < 0 || length > maxBytes) {
                return UNEXPECTED;
            }
            // A plain text is valid in each charset.
            if (!json.plainString(record, from, length)) {
                if (!TextCheck.valid(record, from, length, charset)) {
                    return UNEXPECTED;
                }
                if (utf8) {
                    json.string(record, from, length);
                } else {
                    json.string(new String(record, from, length, charset));
                }
            }
            return limit;
        };
    }

    private static CompactValueToJson raw(Field field) {
        FieldCodec codec = FieldCodecs.of(field.at(0));
        byte[] row = new byte[codec.field().end()];
        int bytes = field.type().bytes();
        return (json, record, at, end) -> {
            if (bytes > end - at) {
                return UNEXPECTED;
            }
            System.arraycopy(record, at, row, 0, bytes);
            json.string(codec.text(row, 0));
            return at + bytes;
        };
    }
}
