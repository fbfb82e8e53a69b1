package io.millrace.view.access;

import io.millrace.codec.BooleanCodec;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.compact.CompactScope;
import io.millrace.codec.javatype.ViewRules;
import io.millrace.codec.shape.Shape;
import io.millrace.codec.shape.Shape.GroupMember;
import io.millrace.codec.shape.Shape.ListMember;
import io.millrace.codec.shape.Shape.ValueMember;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.view.type.Accessor;
import io.millrace.view.value.Conversion;
import io.millrace.view.value.Conversions;
import io.millrace.view.value.ElementContainer;
import io.millrace.view.value.OptionalKind;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * Creates what the getters and setters of views do.
 *
 * @param shape members of the part that the views show
 * @param scope finds members in compact bytes, or null for rows
 * @param mutable whether the views can be changed
 * @param computed values that are computed
 * @param parts returns the form of a part of the record, of a Java type
 */
public record AccessFactory(
        Shape shape,
        @Nullable CompactScope scope,
        boolean mutable,
        ComputedValues computed,
        BiFunction<Class<?>, Shape, PartForm> parts) {

    /** Returns the boxed type of the value of an accessor, if it is there. */
    public static Class<?> valueType(Accessor accessor) {
        ResolvableType type = accessor.type();
        return boxed(raw(OptionalKind.of(raw(type)).valueType(type)));
    }

    /**
     * Returns what an accessor does.
     *
     * @throws IllegalArgumentException if the type of the getter or setter can't hold the values
     */
    public Access access(Accessor accessor) {
        ResolvableType full = accessor.type();
        OptionalKind optional = OptionalKind.of(raw(full));
        ResolvableType plain = optional.valueType(full);
        if (accessor.end() != null) {
            return new EndAccess(
                    (shape.path().isEmpty() ? "" : shape.path() + ".") + accessor.end(),
                    ElementContainer.of(plain, false),
                    optional,
                    mutable);
        }
        return switch (accessor.member()) {
            case null ->
                computed.access(accessor, Objects.requireNonNull(accessor.computed()), boxed(raw(plain)), optional);
            case ValueMember value -> valueAccess(accessor, value, raw(plain), optional);
            case GroupMember group -> {
                FieldCodec presence =
                        group.presence() == null ? null : group.presence().get();
                PartForm innerForm = parts.apply(viewable(accessor, raw(plain)), group.shape());
                yield new GroupAccess(
                        group, innerForm, innerForm.prototype(), (BooleanCodec) presence, scope, optional);
            }
            case ListMember list -> {
                if (optional != OptionalKind.NONE) {
                    throw new IllegalArgumentException(accessor.method().toGenericString()
                            + " can't return the elements of '" + list.path()
                            + "': a list is never absent. Use List instead of Optional.");
                }
                yield listAccess(accessor, list, plain);
            }
        };
    }

    private Access valueAccess(Accessor accessor, ValueMember value, Class<?> javaType, OptionalKind optional) {
        requireStatedType(accessor, optional.valueType(accessor.type()));
        FieldCodec codec = value.codec().get();
        Field field = codec.field();
        Conversion conversion = Conversions.of(boxed(javaType), field);
        if (conversion == null || (javaType.isPrimitive() && field.optional())) {
            throw Conversions.refusal(accessor.method(), value.path(), field);
        }
        if (field.digits() == null || !javaType.isAssignableFrom(BigDecimal.class)) {
            return single(value, conversion, boxed(javaType), optional);
        }
        String name = field.digits().substring(field.digits().lastIndexOf('.') + 1);
        ValueMember digits =
                (ValueMember) Objects.requireNonNull(shape.members().get(name));
        return new DigitsAccess(
                single(value, conversion, boxed(javaType), OptionalKind.NONE),
                single(digits, Conversion.NONE, Object.class, OptionalKind.NONE),
                digits.codec().get().field().type() instanceof FieldType.IntegerType,
                optional);
    }

    private Access single(ValueMember value, Conversion conversion, Class<?> javaType, OptionalKind optional) {
        return scope != null
                ? CompactAccess.of(scope, value, conversion, javaType, optional)
                : RowAccess.of(value.codec().get(), conversion, javaType, optional, mutable);
    }

    private Access listAccess(Accessor accessor, ListMember list, ResolvableType listType) {
        ElementContainer container = ElementContainer.of(listType, list.bare());
        if (container == null) {
            throw new IllegalArgumentException(accessor.method().toGenericString() + " can't return the elements of '"
                    + list.path() + "'. Use List with a type of elements, or an array"
                    + (list.bare() ? ", or Set." : "."));
        }
        Class<?> element = raw(container.element());
        PartForm elements = null;
        Conversion conversion = Conversion.NONE;
        if (list.bare()) {
            requireStatedType(accessor, container.element());
            Conversion found = Conversions.of(
                    boxed(element), list.bareValue().codec().get().field());
            if (found == null) {
                throw Conversions.refusal(
                        accessor.method(),
                        list.bareValue().path(),
                        list.bareValue().codec().get().field());
            }
            conversion = found;
        } else {
            elements = parts.apply(viewable(accessor, element), list.shape());
        }
        BinaryView prototype = elements == null ? null : elements.prototype();
        return new ListAccess(list, elements, prototype, container, conversion, scope, mutable);
    }

    /** Requires that a value is not of a type variable, of which any object may be. */
    private static void requireStatedType(Accessor accessor, ResolvableType valueType) {
        if (TypeVariables.isOpen(valueType.getType(), accessor.owner())) {
            throw new IllegalArgumentException(ViewRules.open(
                            "method " + accessor.method().getName(),
                            valueType.getType().getTypeName())
                    .message(accessor.owner().getName(), ""));
        }
    }

    private static Class<?> viewable(Accessor accessor, Class<?> javaType) {
        if (javaType.isPrimitive() || javaType.isArray() || javaType.getName().startsWith("java.")) {
            throw new IllegalArgumentException(accessor.method().toGenericString()
                    + " can't return a group of fields. Use an interface or a class with getters for them.");
        }
        return javaType;
    }

    private static Class<?> raw(ResolvableType type) {
        return type.resolve(Object.class);
    }

    private static Class<?> boxed(Class<?> javaType) {
        return MethodType.methodType(javaType).wrap().returnType();
    }
}
