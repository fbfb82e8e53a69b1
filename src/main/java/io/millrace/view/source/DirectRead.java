package io.millrace.view.source;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.view.BinaryRecord;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes the Java expressions of getters that read a whole word at a literal offset, with methods of
 * {@link BinaryRecord}. Stateless.
 */
final class DirectRead {

    private DirectRead() {}

    /**
     * Returns the expression, or null if only its access can read it: the field is optional, not every word is a value
     * of it, its size is not that of a Java number, or another field has its number of decimals.
     *
     * @param offset name of the constant that holds the offset
     */
    static @Nullable String of(Field field, String offset) {
        if (field.optional() || field.digits() != null) {
            return null;
        }
        return switch (field.type()) {
            case FieldType.IntegerType(IntStorage storage) -> number(storage, offset);
            case FieldType.DecimalType(IntStorage storage, int scale) ->
                call("BigDecimal.valueOf(%s, " + scale + ")", number(storage, offset));
            case FieldType.DateType(IntStorage storage) ->
                storage.bits() > Integer.SIZE ? null : call("LocalDate.ofEpochDay(%s)", number(storage, offset));
            case FieldType.InstantType(IntStorage storage, TimeUnit unit) ->
                unit == TimeUnit.MILLISECONDS ? call("Instant.ofEpochMilli(%s)", number(storage, offset)) : null;
            case FieldType.FloatType(int bytes, ByteOrder order) ->
                call(
                        bytes == Double.BYTES ? "Double.longBitsToDouble(%s)" : "Float.intBitsToFloat(%s)",
                        number(IntStorage.of(bytes, true, order), offset));
            case FieldType.EnumType _,
                    FieldType.BooleanType _,
                    FieldType.StringType _,
                    FieldType.BytesType _,
                    FieldType.IpType _ -> null;
        };
    }

    private static @Nullable String call(String form, @Nullable String number) {
        return number == null ? null : form.replace("%s", number);
    }

    private static @Nullable String number(IntStorage storage, String offset) {
        if (!storage.wholeWord() || storage.unsignedLong()) {
            return null;
        }
        boolean little = storage.order() == ByteOrder.LITTLE_ENDIAN;
        return switch (storage.bytes()) {
            case 1 -> "byteAt(" + offset + ")" + (storage.signed() ? "" : " & 0xFF");
            case 2 -> word("short", "Short", little, offset) + (storage.signed() ? "" : " & 0xFFFF");
            case 4 -> word("int", "Integer", little, offset) + (storage.signed() ? "" : " & 0xFFFF_FFFFL");
            case 8 -> word("long", "Long", little, offset);
            default -> null;
        };
    }

    private static String word(String primitive, String boxed, boolean little, String offset) {
        String read = primitive + "At(" + offset + ")";
        return little ? boxed + ".reverseBytes(" + read + ")" : read;
    }
}
