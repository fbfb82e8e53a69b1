package io.millrace.codec.json;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RawBytes;
import io.millrace.codec.compact.CompactNumbers;
import io.millrace.codec.compact.Varint;
import io.millrace.schema.CompactValue;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.function.LongUnaryOperator;

/** Writes a value of a compact record, which is there, valid and not a bit, as JSON. Not thread-safe. */
@FunctionalInterface
interface CompactValueToJson {

    /**
     * Writes the value.
     *
     * @param at offset of the value
     * @return offset past the value
     */
    int write(JsonBuffer json, byte[] record, int at);

    /** Returns the writer of a value. */
    static CompactValueToJson of(CompactValue value) {
        Field field = value.field();
        return switch (field.type()) {
            case FieldType.StringType type -> text(value, type.charset());
            case FieldType.FloatType type -> type.bytes() == Double.BYTES ? CompactValueToJson::real : narrowReal();
            case FieldType.DecimalType _ -> decimal(field);
            case FieldType.DateType _ -> number(field, raw -> Varint.unzigzag(raw) + CompactNumbers.EPOCH_DAY);
            case FieldType.EnumType _, FieldType.BooleanType _ -> number(field, LongUnaryOperator.identity());
            case FieldType.Numbered type when type.storage().signed() -> number(field, Varint::unzigzag);
            case FieldType.Numbered _ -> number(field, LongUnaryOperator.identity());
            case FieldType.BytesType _, FieldType.IpType _ -> raw(field);
        };
    }

    /** @param decoded turns the varint into the stored number */
    private static CompactValueToJson number(Field field, LongUnaryOperator decoded) {
        WriteNumber writer = WriteNumber.of(field);
        return (json, record, at) -> {
            writer.write(json, decoded.applyAsLong(Varint.get(record, at)));
            return at + Varint.length(record[at]);
        };
    }

    private static CompactValueToJson decimal(Field field) {
        WriteNumber writer = WriteNumber.of(field);
        return (json, record, at) -> {
            int length = Varint.length(record[at]);
            writer.write(json, CompactNumbers.decimal(Varint.get(record, at), length));
            return at + length;
        };
    }

    private static int real(JsonBuffer json, byte[] record, int at) {
        int head = record[at];
        switch (head) {
            case CompactNumbers.DOUBLE -> json.real(Double.longBitsToDouble(RawBytes.getLong(record, at + 1)));
            case CompactNumbers.FLOAT -> json.real((double) Float.intBitsToFloat(RawBytes.getInt(record, at + 1)));
            default -> json.real(Varint.unzigzag(Varint.get(record, at + 1)), head);
        }
        return realEnd(record, at);
    }

    private static CompactValueToJson narrowReal() {
        return (json, record, at) -> {
            int head = record[at];
            float value = switch (head) {
                case CompactNumbers.DOUBLE -> (float) Double.longBitsToDouble(RawBytes.getLong(record, at + 1));
                case CompactNumbers.FLOAT -> Float.intBitsToFloat(RawBytes.getInt(record, at + 1));
                default -> (float) CompactNumbers.real(Varint.unzigzag(Varint.get(record, at + 1)), head);
            };
            json.real(value);
            return realEnd(record, at);
        };
    }

    private static int realEnd(byte[] record, int at) {
        return at
                + 1
                + switch (record[at]) {
                    case CompactNumbers.DOUBLE -> Double.BYTES;
                    case CompactNumbers.FLOAT -> Float.BYTES;
                    default -> Varint.length(record[at + 1]);
                };
    }

    private static CompactValueToJson text(CompactValue value, Charset charset) {
        byte[][] frequent = value.frequent().stream().map(JsonBuffer::quoted).toArray(byte[][]::new);
        boolean utf8 = !charset.equals(StandardCharsets.ISO_8859_1);
        return (json, record, at) -> {
            int next = at;
            if (frequent.length > 0) {
                int number = (int) Varint.get(record, at);
                next += Varint.length(record[at]);
                if (number != 0) {
                    json.put(frequent[number - 1]);
                    return next;
                }
            }
            int length = (int) Varint.get(record, next);
            next += Varint.length(record[next]);
            if (utf8) {
                json.string(record, next, length);
            } else {
                json.string(new String(record, next, length, charset));
            }
            return next + length;
        };
    }

    private static CompactValueToJson raw(Field field) {
        FieldCodec codec = FieldCodec.of(field.at(0));
        byte[] row = new byte[codec.field().end()];
        int bytes = field.type().bytes();
        return (json, record, at) -> {
            System.arraycopy(record, at, row, 0, bytes);
            json.string(codec.text(row, 0));
            return at + bytes;
        };
    }
}
