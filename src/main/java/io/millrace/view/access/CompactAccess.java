package io.millrace.view.access;

import io.millrace.codec.compact.CompactScope;
import io.millrace.codec.compact.CompactValueReader;
import io.millrace.codec.shape.Shape.ValueMember;
import io.millrace.schema.FieldType;
import io.millrace.view.value.Conversion;
import io.millrace.view.value.OptionalKind;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A single value of compact bytes.
 *
 * @param slot entry in the index
 * @param conversion conversion to the type of the getter
 * @param optional how the getter shows an absent value
 * @param whole whether the value is an integer
 * @param real whether the value is a floating-point number
 * @param bit whether the value is a bit, which the index contains
 * @param values creates values from stored numbers, or null if only the reader can
 */
record CompactAccess(
        CompactScope scope,
        int slot,
        CompactValueReader reader,
        Conversion conversion,
        OptionalKind optional,
        boolean whole,
        boolean real,
        boolean bit,
        @Nullable LongFunction<@Nullable Object> values)
        implements Access {

    /** @param javaType boxed type of the getter */
    static CompactAccess of(
            CompactScope scope, ValueMember member, Conversion conversion, Class<?> javaType, OptionalKind optional) {
        CompactValueReader reader = Objects.requireNonNull(member.reader());
        FieldType type = reader.field().type();
        return new CompactAccess(
                scope,
                member.slot(),
                reader,
                conversion,
                optional,
                type instanceof FieldType.IntegerType,
                type instanceof FieldType.FloatType,
                member.isBit(),
                member.isBit() ? null : NumberValues.of(reader.field(), conversion, javaType));
    }

    private int entry(BinaryView view) {
        return CompactIndex.entry(view, scope, slot);
    }

    @Override
    public long number(BinaryView view) {
        return whole
                ? reader.exactNumber(view.millraceBytes(), view.millraceAt() + entry(view))
                : Access.super.number(view);
    }

    @Override
    public double real(BinaryView view) {
        return real ? reader.real(view.millraceBytes(), view.millraceAt() + entry(view)) : Access.super.real(view);
    }

    @Override
    public boolean truth(BinaryView view) {
        return bit ? CompactValueReader.truth(entry(view)) : Access.super.truth(view);
    }

    @Override
    public @Nullable Object get(BinaryView view) {
        int entry = entry(view);
        return optional.wrap(entry == 0 ? null : value(view, entry));
    }

    private @Nullable Object value(BinaryView view, int entry) {
        if (values != null) {
            Object value = values.apply(reader.number(view.millraceBytes(), view.millraceAt() + entry));
            if (value != null) {
                return value;
            }
        }
        return converted(view, entry);
    }

    private @Nullable Object converted(BinaryView view, int entry) {
        Object value = bit
                ? (Object) CompactValueReader.truth(entry)
                : reader.value(view.millraceBytes(), view.millraceAt() + entry);
        return conversion.toJava().apply(value);
    }
}
