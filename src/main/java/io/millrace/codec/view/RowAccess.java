package io.millrace.codec.view;

import io.millrace.codec.BooleanCodec;
import io.millrace.codec.DoubleCodec;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.LongCodec;
import io.millrace.codec.RawBytes;
import io.millrace.schema.FieldType;
import java.nio.ByteOrder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A single value of a row.
 *
 * @param conversion conversion to the type of the getter
 * @param optional whether the getter returns an {@link Optional}
 * @param mutable whether values can be written
 * @param offset offset in the row
 * @param word kind of word at the offset that holds the whole value, or {@link #NO_WORD}
 */
record RowAccess(FieldCodec codec, Conversion conversion, boolean optional, boolean mutable, int offset, int word)
        implements Access {

    static final int NO_WORD = 0;
    private static final int UNSIGNED = 16;

    static RowAccess of(FieldCodec codec, Conversion conversion, boolean optional, boolean mutable) {
        return new RowAccess(codec, conversion, optional, mutable, codec.field().offset(), word(codec));
    }

    private static int word(FieldCodec codec) {
        return switch (codec.field().type()) {
            case FieldType.IntegerType(var storage) ->
                storage.wholeWord() && storage.order() == ByteOrder.BIG_ENDIAN && !storage.unsignedLong()
                        ? storage.bytes() + (storage.signed() ? 0 : UNSIGNED)
                        : NO_WORD;
            default -> NO_WORD;
        };
    }

    @Override
    public long number(BinaryView view) {
        byte[] bytes = view.millraceBytes();
        int at = view.millraceAt();
        return switch (word) {
            case 1 -> bytes[at + offset];
            case 2 -> RawBytes.getShort(bytes, at + offset);
            case 4 -> RawBytes.getInt(bytes, at + offset);
            case 8 -> RawBytes.getLong(bytes, at + offset);
            case 1 + UNSIGNED -> bytes[at + offset] & 0xFF;
            case 2 + UNSIGNED -> RawBytes.getShort(bytes, at + offset) & 0xFFFF;
            case 4 + UNSIGNED -> RawBytes.getInt(bytes, at + offset) & 0xFFFF_FFFFL;
            default -> codec instanceof LongCodec whole ? whole.getExact(bytes, at) : Access.super.number(view);
        };
    }

    @Override
    public double real(BinaryView view) {
        return codec instanceof DoubleCodec real
                ? real.get(view.millraceBytes(), view.millraceAt())
                : Access.super.real(view);
    }

    @Override
    public boolean truth(BinaryView view) {
        return codec instanceof BooleanCodec truth
                ? truth.get(view.millraceBytes(), view.millraceAt())
                : Access.super.truth(view);
    }

    @Override
    public @Nullable Object get(BinaryView view) {
        Object value = codec.value(view.millraceBytes(), view.millraceAt());
        Object converted = value == null ? null : conversion.toJava().apply(value);
        return optional ? Optional.ofNullable(converted) : converted;
    }

    @Override
    public void set(BinaryView view, @Nullable Object value) {
        if (!mutable) {
            Access.super.set(view, value);
            return;
        }
        if (view.millraceBytes() == null) {
            return;
        }
        Object plain = value instanceof Optional<?> some ? some.orElse(null) : value;
        codec.setValue(
                view.millraceBytes(),
                view.millraceAt(),
                plain == null ? null : conversion.toField().apply(plain));
    }
}
