package io.millrace.codec.view;

import io.millrace.codec.BooleanCodec;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.view.Shape.GroupMember;
import io.millrace.codec.view.Shape.ListMember;
import io.millrace.codec.view.Shape.ValueMember;
import io.millrace.schema.Field;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * A Java type as views of a record, or of a part of one: its getters and setters, and the forms of its views. Created
 * once for each type and part. Thread-safe.
 */
final class ViewKind {

    private final RecordViews<?> views;
    private final Class<?> type;
    private final Shape shape;
    private final boolean root;
    private final @Nullable RecordCreator creator;
    private final List<Accessor> accessors;
    private final Set<String> shown = new LinkedHashSet<>();
    private final LostMembers lost;
    private final InitialValues initial;
    private final Map<Method, MethodHandle> getters = new ConcurrentHashMap<>();
    private @Nullable ViewForm frozen;
    private @Nullable ViewForm mutable;
    private @Nullable ViewForm compact;

    /** @param root whether the views are of whole records */
    ViewKind(RecordViews<?> views, Class<?> type, Shape shape, boolean root) {
        this.views = views;
        this.type = type;
        this.shape = shape;
        this.root = root;
        this.initial = new InitialValues(type);
        this.accessors = Accessor.of(
                type,
                shape.members,
                shape.ends.keySet(),
                root ? views.computed().names() : Set.of());
        this.creator = type.isRecord() ? new RecordCreator(type, accessors, shape.members.keySet()) : null;
        if (type.isRecord()) {
            ObjectMethods.requirePlain(type, accessors, views.options().replacedBodies());
        }
        this.lost = new LostMembers(type, views.ignored(), accessors);
        accessors.forEach(accessor -> {
            if (accessor.member() != null && !accessor.setter()) {
                shown.add(accessor.member().name());
            }
        });
    }

    RecordViews<?> views() {
        return views;
    }

    Class<?> type() {
        return type;
    }

    Shape shape() {
        return shape;
    }

    boolean isRoot() {
        return root;
    }

    boolean isRecord() {
        return creator != null;
    }

    List<Accessor> accessors() {
        return accessors;
    }

    /** Returns the names of the members that have getters. */
    Set<String> shown() {
        return shown;
    }

    /** Returns the form of immutable views. */
    ViewForm immutableForm() {
        return views.compact() ? compact() : frozen();
    }

    private synchronized ViewForm frozen() {
        if (frozen == null) {
            frozen = new ViewForm(this, false, false);
            define(frozen, () -> frozen = null);
        }
        return frozen;
    }

    synchronized ViewForm mutable() {
        if (mutable == null) {
            mutable = new ViewForm(this, true, false);
            define(mutable, () -> mutable = null);
        }
        return mutable;
    }

    private synchronized ViewForm compact() {
        if (compact == null) {
            compact = new ViewForm(this, false, true);
            define(compact, () -> compact = null);
        }
        return compact;
    }

    /** @param undo called if the type is refused, so that the next getter of this kind is refused too */
    private void define(ViewForm form, Runnable undo) {
        try {
            form.define(this::prototype);
        } catch (RuntimeException e) {
            undo.run();
            throw e;
        }
    }

    private BinaryView prototype(ViewForm form) {
        requireAccess(form);
        return isRecord() ? new PlainView(form, new byte[0], 0, null) : new ViewClass(form).prototype();
    }

    /** Requires that all getters and setters can hold the values of their fields, or throws all that is wrong. */
    private void requireAccess(ViewForm form) {
        Set<String> problems = new LinkedHashSet<>();
        for (Accessor accessor : accessors) {
            try {
                var _ = form.access(accessor);
            } catch (IllegalArgumentException e) {
                problems.addAll(String.valueOf(e.getMessage()).lines().toList());
            }
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
    }

    /** Returns the form of views that are parts of those of another form. */
    ViewForm form(ViewForm outer) {
        return outer.mutable() ? mutable() : outer.compact() ? compact() : frozen();
    }

    /** Returns whether views of this kind and another can be equal. */
    boolean sameValues(ViewKind other) {
        return this == other
                || (type == other.type
                        && root == other.root
                        && shape.path.equals(other.shape.path)
                        && views.sameSchema(other.views));
    }

    UnsupportedOperationException immutable() {
        return new UnsupportedOperationException("The view of " + type.getName()
                + " is immutable. Use edit() of its RecordViews to get a mutable copy.");
    }

    /**
     * Returns what an accessor does in a form.
     *
     * @throws IllegalArgumentException if the type of the getter or setter can't hold the values
     */
    Access access(Accessor accessor, ViewForm form) {
        ResolvableType full = accessor.type();
        OptionalKind optional = OptionalKind.of(raw(full));
        ResolvableType plain = optional.valueType(full);
        if (accessor.end() != null) {
            return new EndAccess(
                    (shape.path.isEmpty() ? "" : shape.path + ".") + accessor.end(),
                    ElementContainer.of(plain, false),
                    optional,
                    form.mutable());
        }
        return switch (accessor.member()) {
            case null ->
                views.computed()
                        .access(accessor, Objects.requireNonNull(accessor.computed()), boxed(raw(plain)), optional);
            case ValueMember value -> valueAccess(accessor, value, raw(plain), optional, form);
            case GroupMember group -> {
                FieldCodec presence =
                        group.presence() == null ? null : group.presence().get();
                PartForm innerForm = views.part(viewable(accessor, raw(plain)), group.shape(), form);
                yield new GroupAccess(
                        group,
                        innerForm,
                        innerForm.prototype(),
                        (BooleanCodec) presence,
                        form.compact() ? shape.scope.compact : null,
                        optional);
            }
            case ListMember list -> {
                if (optional != OptionalKind.NONE) {
                    throw new IllegalArgumentException(accessor.method().toGenericString()
                            + " can't return the elements of '" + list.path()
                            + "': a list is never absent. Use List instead of Optional.");
                }
                yield listAccess(accessor, list, plain, form);
            }
        };
    }

    /** Returns the order of a key field: of texts, that of the objects that a getter returns for them. */
    KeyOrder.Key key(ValueMember member) {
        Field field = member.codec().get().field();
        boolean text = field.type().javaType() == String.class;
        Conversion conversion = accessors.stream()
                .filter(accessor -> text && !accessor.setter() && member.equals(accessor.member()))
                .map(Accessor::type)
                .map(type -> boxed(raw(OptionalKind.of(raw(type)).valueType(type))))
                .filter(Comparable.class::isAssignableFrom)
                .findFirst()
                .map(type -> Conversions.of(type, field))
                .orElse(Conversion.NONE);
        return new KeyOrder.Key(member, conversion);
    }

    private Access valueAccess(
            Accessor accessor, ValueMember value, Class<?> javaType, OptionalKind optional, ViewForm form) {
        requireStatedType(accessor, optional.valueType(accessor.type()));
        FieldCodec codec = value.codec().get();
        Field field = codec.field();
        Conversion conversion = Conversions.of(boxed(javaType), field);
        if (conversion == null || (javaType.isPrimitive() && field.optional())) {
            throw Conversions.refusal(accessor, value.path(), field);
        }
        return form.compact()
                ? CompactAccess.of(
                        Objects.requireNonNull(shape.scope.compact),
                        value.slot(),
                        Objects.requireNonNull(value.reader()),
                        conversion,
                        boxed(javaType),
                        optional)
                : RowAccess.of(codec, conversion, boxed(javaType), optional, form.mutable());
    }

    private Access listAccess(Accessor accessor, ListMember list, ResolvableType listType, ViewForm form) {
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
                        accessor,
                        list.bareValue().path(),
                        list.bareValue().codec().get().field());
            }
            conversion = found;
        } else {
            elements = views.part(viewable(accessor, element), list.shape(), form);
        }
        BinaryView prototype = elements == null ? null : elements.prototype();
        return new ListAccess(
                list,
                elements,
                prototype,
                container,
                conversion,
                form.compact() ? shape.scope.compact : null,
                form.mutable());
    }

    /** Requires that a value is not of a type variable, of which any object may be. */
    private static void requireStatedType(Accessor accessor, ResolvableType valueType) {
        if (TypeVariables.isOpen(valueType.getType(), accessor.owner())) {
            throw new IllegalArgumentException(accessor.method().toGenericString() + " of "
                    + accessor.owner().getName() + " has the type variable " + valueType.getType()
                    + ", so that its values may be of any type. Use a subclass that states the type.");
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

    /**
     * Writes the values of any object of the type to a row.
     *
     * @throws IllegalArgumentException if it is of a subclass whose own members would be lost
     */
    void assign(Object value, byte[] bytes, int at, @Nullable RowNode node) {
        if (value instanceof BinaryView view && sameValues(view.millraceForm().kind())) {
            RowCopy.copy(shape, Part.of(view), bytes, at, node);
            return;
        }
        if (!(value instanceof BinaryView)) {
            lost.requireNone(value);
        }
        if (creator != null) {
            creator.requireStable(value, this::read);
        }
        ViewForm form = mutable();
        BinaryView target = form.bare(bytes, at, node);
        for (Accessor accessor : accessors) {
            if (accessor.getsMember()) {
                form.access(accessor).set(target, read(accessor.method(), value));
            }
        }
    }

    /** Sets the values that the constructor of the type sets, in a new row. */
    void initialize(byte[] bytes, int at, @Nullable RowNode node) {
        Object object = initial.object();
        if (object == null) {
            return;
        }
        ViewForm form = mutable();
        BinaryView target = form.bare(bytes, at, node);
        for (Accessor accessor : accessors) {
            if (accessor.getsMember()) {
                Object value = read(accessor.method(), object);
                if (!InitialValues.isBlank(accessor.rawType(), value)) {
                    form.access(accessor).set(target, value);
                }
            }
        }
    }

    /** Returns a mutable copy of a mutable view. */
    Object copy(BinaryView view) {
        RowNode node = RowNode.blank(shape.scope);
        RowNode rows = views.compact() ? node : null;
        RowCopy.copy(shape, Part.of(view), node.row(), 0, rows);
        return mutable().view(node.row(), 0, rows);
    }

    private @Nullable Object read(Method method, Object value) {
        try {
            MethodHandle getter = getters.get(method);
            if (getter == null) {
                getter = MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                        .unreflect(method);
                getters.put(method, getter);
            }
            return getter.invoke(value);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalArgumentException(
                    "Unable to read '" + method.getName() + "' of "
                            + value.getClass().getName() + ".",
                    e);
        }
    }

    /** Returns the Java record of a view. */
    Object record(BinaryView view) {
        return Objects.requireNonNull(creator).create(view);
    }
}
