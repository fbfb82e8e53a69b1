package io.millrace.view.access;

import io.millrace.codec.BooleanCodec;
import io.millrace.codec.DoubleCodec;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.LongCodec;
import io.millrace.view.value.Conversion;
import io.millrace.view.value.OptionalKind;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A single value of a row.
 *
 * @param conversion conversion to the type of the getter
 * @param optional how the getter shows an absent value
 * @param mutable whether values can be written
 * @param word word that holds the value, or null if only the codec can read it
 * @param values creates values from the word, or null if only the codec can
 */
record RowAccess(
        FieldCodec codec,
        Conversion conversion,
        OptionalKind optional,
        boolean mutable,
        @Nullable RowWord word,
        @Nullable LongFunction<@Nullable Object> values)
        implements Access {

    /** @param javaType boxed type of the getter */
    static RowAccess of(
            FieldCodec codec, Conversion conversion, Class<?> javaType, OptionalKind optional, boolean mutable) {
        return new RowAccess(
                codec,
                conversion,
                optional,
                mutable,
                RowWord.of(codec.field()),
                NumberValues.of(codec.field(), conversion, javaType));
    }

    @Override
    public long number(BinaryView view) {
        byte[] bytes = view.millraceBytes();
        int at = view.millraceAt();
        if (word != null && values != null) {
            return word.number(bytes, at);
        }
        return codec instanceof LongCodec whole ? whole.getExact(bytes, at) : Access.super.number(view);
    }

    @Override
    public double real(BinaryView view) {
        if (codec instanceof DoubleCodec real) {
            byte[] bytes = view.millraceBytes();
            int at = view.millraceAt();
            return word == null ? real.get(bytes, at) : word.real(bytes, at);
        }
        return Access.super.real(view);
    }

    @Override
    public boolean truth(BinaryView view) {
        if (codec instanceof BooleanCodec truth) {
            byte[] bytes = view.millraceBytes();
            int at = view.millraceAt();
            long number = word == null ? -1 : word.number(bytes, at);
            return number == 1 || (number != 0 && truth.get(bytes, at));
        }
        return Access.super.truth(view);
    }

    @Override
    public @Nullable Object get(BinaryView view) {
        return optional.wrap(value(view.millraceBytes(), view.millraceAt()));
    }

    private @Nullable Object value(byte[] bytes, int at) {
        if (word != null && values != null) {
            long number = word.number(bytes, at);
            if (word.isAbsent(bytes, at, number)) {
                return null;
            }
            Object value = values.apply(number);
            if (value != null) {
                return value;
            }
        }
        Object value = codec.value(bytes, at);
        return value == null ? null : conversion.toJava().apply(value);
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
        Object plain = OptionalKind.unwrap(value);
        codec.setValue(
                view.millraceBytes(),
                view.millraceAt(),
                plain == null ? null : conversion.toField().apply(plain));
    }
}
