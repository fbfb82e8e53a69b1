package io.millrace.view;

import io.millrace.codec.shape.RowCopy;
import io.millrace.codec.shape.RowNode;
import io.millrace.codec.shape.Shape;
import io.millrace.codec.shape.Shape.ValueMember;
import io.millrace.schema.Field;
import io.millrace.view.access.Access;
import io.millrace.view.access.AccessFactory;
import io.millrace.view.access.BinaryView;
import io.millrace.view.bytecode.ViewClass;
import io.millrace.view.bytecode.ViewOutline;
import io.millrace.view.type.Accessor;
import io.millrace.view.type.InitialValues;
import io.millrace.view.type.LostMembers;
import io.millrace.view.type.ObjectMethods;
import io.millrace.view.type.RecordCreator;
import io.millrace.view.value.Conversion;
import io.millrace.view.value.Conversions;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A Java type as views of a record, or of a part of one: its getters and setters, and the forms of its views. Created
 * once for each type and part. Thread-safe.
 */
public final class ViewKind {

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
                shape.members(),
                shape.ends().keySet(),
                root ? views.computed().names() : Set.of(),
                root);
        this.creator = type.isRecord()
                ? new RecordCreator(type, accessors, shape.members().keySet())
                : null;
        if (type.isRecord()) {
            ObjectMethods.requirePlain(type, accessors, views.options()::accepts);
        }
        this.lost = new LostMembers(type, views.ignored(), accessors);
        accessors.forEach(accessor -> {
            if (accessor.member() != null && !accessor.setter()) {
                shown.add(accessor.member().name());
            }
        });
    }

    public RecordViews<?> views() {
        return views;
    }

    public Class<?> type() {
        return type;
    }

    public Shape shape() {
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
        if (isRecord()) {
            return new PlainView(form, new byte[0], 0, null);
        }
        ObjectMethods methods = ObjectMethods.of(type, accessors, views.options()::accepts);
        ViewOutline outline = new ViewOutline(
                methods, accessors, root, root && views.hasKey(), views.compact(), className(form.mutable()));
        return new ViewClass(outline, form, form::access).prototype();
    }

    /**
     * Returns what follows the name of the type in that of the class, or null for views of rows. It is the same
     * wherever the bytes mean the same, because tools may store it with them.
     */
    private @Nullable String className(boolean ofMutable) {
        return views.schema() == null
                ? null
                : "$$" + (ofMutable ? "Mutable" : "View") + views.id()
                        + (root ? "" : "$" + KnownViews.hash(shape.path()));
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
                        && shape.path().equals(other.shape.path())
                        && views.sameSchema(other.views));
    }

    /**
     * Returns what an accessor does in a form.
     *
     * @throws IllegalArgumentException if the type of the getter or setter can't hold the values
     */
    Access access(Accessor accessor, ViewForm form) {
        return new AccessFactory(
                        shape,
                        form.scope(),
                        form.mutable(),
                        views.computed(),
                        (partType, part) -> views.kinds().part(partType, part, form))
                .access(accessor);
    }

    /** Returns the order of a key field: of texts, that of the objects that a getter returns for them. */
    KeyOrder.Key key(ValueMember member) {
        Field field = member.codec().get().field();
        boolean text = field.type().javaType() == String.class;
        Conversion conversion = accessors.stream()
                .filter(accessor -> text && !accessor.setter() && member.equals(accessor.member()))
                .map(AccessFactory::valueType)
                .filter(Comparable.class::isAssignableFrom)
                .findFirst()
                .map(type -> Conversions.of(type, field))
                .orElse(Conversion.NONE);
        return new KeyOrder.Key(member, conversion);
    }

    /**
     * Writes the values of any object of the type to a row. If one is refused, those before are written.
     *
     * @throws IllegalArgumentException if it is of a subclass whose own members would be lost
     */
    void assign(Object value, byte[] bytes, int at, @Nullable RowNode node) {
        if (value instanceof BinaryView view && sameValues(ViewForm.of(view).kind())) {
            RowCopy.copy(shape, ViewForm.part(view), bytes, at, node);
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
                form.access(accessor).write(target, read(accessor.method(), value));
            }
        }
    }

    /**
     * Sets the values that the constructor of the type sets, in a new row.
     *
     * @param part members to set: all, or those that a subclass has in addition to its superclass
     */
    void initialize(Shape part, byte[] bytes, int at, @Nullable RowNode node) {
        Object object = initial.object();
        if (object == null) {
            return;
        }
        ViewForm form = mutable();
        BinaryView target = form.bare(bytes, at, node);
        for (Accessor accessor : accessors) {
            if (accessor.getsMember() && part.has(Objects.requireNonNull(accessor.memberName()))) {
                Object value = initial(accessor, object);
                if (!InitialValues.isBlank(accessor.rawType(), value)) {
                    form.access(accessor).write(target, value);
                }
            }
        }
    }

    /** Returns an initial value. A getter that copies or unboxes its field throws if this is null. */
    private @Nullable Object initial(Accessor accessor, Object object) {
        try {
            return read(accessor.method(), object);
        } catch (NullPointerException _) {
            return null;
        }
    }

    /** Returns a mutable copy of a mutable view. */
    Object copy(BinaryView view) {
        RowNode node = RowNode.blank(shape.scope());
        RowNode rows = views.compact() ? node : null;
        RowCopy.copy(shape, ViewForm.part(view), node.row(), 0, rows);
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
        return Objects.requireNonNull(creator)
                .create(accessor -> ViewForm.of(view).access(accessor).get(view));
    }
}
