package io.millrace.view;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.shape.CompactRows;
import io.millrace.codec.shape.RowNode;
import io.millrace.codec.shape.RowShapes;
import io.millrace.codec.shape.Shape;
import io.millrace.codec.shape.Shape.ValueMember;
import io.millrace.codec.shape.Shapes;
import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import io.millrace.view.access.BinaryView;
import io.millrace.view.access.ComputedValues;
import io.millrace.view.type.Accessor;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Creates objects of a type of your application that read and write the bytes of records. The type is one of
 *
 * <ul>
 *   <li>an interface: a class that implements its getters and setters is generated
 *   <li>a class with getters and setters (JavaBean): a subclass that overrides them is generated
 *   <li>a record class: {@link #of(byte[])} creates ordinary Java records
 * </ul>
 *
 * <p>The type may declare {@code getAmount()}, {@code isAmount()} of type boolean or Boolean or, if abstract,
 * {@code amount()} for the field {@code amount}, and {@code setAmount(...)}. The type of the value is the
 * {@linkplain io.millrace.schema.FieldType#javaType() Java type} of the field, a supertype of it, or another type that
 * holds values of the field exactly, which the guide "Model your records" lists: numbers, dates and times, Java enums
 * with a constant for each value, types with a text form such as {@code UUID}, and {@code Optional} of these. An absent
 * value is null. Groups are interfaces or classes of their own, and repeating parts are a {@code List} or an array of
 * these or of values, or a {@code Set} of values. Other methods are left as they are.
 *
 * <p>A virtual field of the schema has a getter too, which computes it from the record. It throws
 * {@link IllegalArgumentException} if the expression has no result for the record.
 *
 * <p>Views are immutable: setters throw {@link UnsupportedOperationException}. {@link #create} and {@link #edit} return
 * mutable ones. Views are equal if they have the same type and schema, and their records have the same bytes. They can
 * be serialized. A getter throws {@link io.millrace.codec.FieldValueException} or {@link IllegalArgumentException} if
 * the bytes are invalid for the field.
 *
 * <p>The classes of the first views of a type with a schema and options stay as long as the class loader of the type.
 * Create the views of a type once.
 *
 * <p>Thread-safe, as are immutable views. A mutable view belongs to one thread, with its lists and groups.
 */
@API(status = API.Status.STABLE)
public final class RecordViews<T> {

    private final Class<T> type;
    private final long typeId;
    private final @Nullable Schema schema;
    private final Shape shape;
    private final @Nullable CompactRows compactRows;
    private final ViewOptions options;
    private final KeyOrder order;
    private final ViewKinds kinds;
    private final ViewKind root;
    private final ViewForm form;
    private final @Nullable RecordConditions conditions;

    private RecordViews(Class<T> type, @Nullable Schema schema, Shape shape, ViewOptions options) {
        this.type = type;
        this.typeId = KnownViews.typeId(type.getName());
        this.schema = schema;
        this.shape = shape;
        this.options = options;
        this.compactRows =
                schema != null && shape.scope().compact() != null ? new CompactRows(schema, shape.scope()) : null;
        this.kinds = new ViewKinds(this, shape);
        this.root = kinds.kind(type, shape);
        this.order = new KeyOrder(
                options.key().stream().map(name -> root.key(value(shape, name))).toList());
        this.conditions = schema == null || schema.constraints().isEmpty() ? null : new RecordConditions(schema);
        this.form = root.immutableForm();
    }

    private static ValueMember value(Shape shape, String name) {
        if (shape.members().get(name) instanceof ValueMember value) {
            return value;
        }
        throw new IllegalArgumentException("Unknown field '" + name + "' in the key."
                + NearestName.hint(name, shape.members().keySet()));
    }

    /**
     * Returns the names of the fields for which an interface has getters.
     *
     * @param names names of the available fields
     * @throws IllegalArgumentException if views can't implement the type, or if a method is not a getter of a field
     */
    public static List<String> fields(Class<?> view, Collection<String> names) {
        return Accessor.fields(view, names);
    }

    /**
     * Returns the views of rows, which are immutable.
     *
     * @param names names of the available fields
     * @param codecs returns the codec of each field, for rows that begin at index 0 of an array
     * @throws IllegalArgumentException if views can't implement the type, or if a method is not a getter of a field or
     *     cannot return its values
     */
    public static <T> RecordViews<T> of(Class<T> view, Collection<String> names, Function<String, FieldCodec> codecs) {
        return new RecordViews<>(view, null, RowShapes.of(names, codecs), ViewOptions.NONE);
    }

    /**
     * Returns the views of the records of a schema.
     *
     * @throws IllegalArgumentException if views can't implement the type, if a method is not a getter or setter of a
     *     field or cannot hold its values, or if the schema has the tagged layout
     */
    public static <T> RecordViews<T> of(Class<T> type, Schema schema) {
        return builder(type, schema).build();
    }

    /** Returns a builder of views with further options. */
    public static <T> RecordViewsBuilder<T> builder(Class<T> type, Schema schema) {
        return new RecordViewsBuilder<>(type, schema);
    }

    /** Returns the first such views if they are the same: their classes are never unloaded. */
    @SuppressWarnings("unchecked") // they have the type
    static <T> RecordViews<T> create(Class<T> type, Schema schema, ViewOptions options) {
        RecordViews<?> first = KnownViews.first(type, KnownViews.id(schema, options));
        RecordViews<T> views = first != null && first.schema == schema && first.options.equals(options)
                ? (RecordViews<T>) first
                : new RecordViews<>(type, schema, Shapes.of(schema), options);
        KnownViews.add(views, schema.fingerprint());
        return views;
    }

    /** Returns the classes of the views of whole records. */
    List<Class<?>> classes() {
        if (type.isRecord()) {
            throw new IllegalArgumentException("Records of " + type.getName() + " are no views.");
        }
        return Stream.<Class<?>>of(
                        form.bare(new byte[0], 0, null).getClass(),
                        root.mutable().bare(new byte[0], 0, null).getClass())
                .distinct()
                .toList();
    }

    /** Returns the constructor of the class that the application has for the views of a kind, or null. */
    @Nullable
    RecordFactory factory(ViewKind kind) {
        return options.factories().get(new KindKey(kind.type(), kind.shape().path()));
    }

    /** Returns the types of the record and of its parts. */
    @API(status = API.Status.INTERNAL)
    public ViewKinds kinds() {
        return kinds;
    }

    /** Returns the classes whose own members may be lost. */
    Set<Class<?>> ignored() {
        return options.ignored();
    }

    ViewOptions options() {
        return options;
    }

    /** Returns what identifies the views of a schema, in the names of their classes. */
    String id() {
        return KnownViews.id(Objects.requireNonNull(schema), options);
    }

    ComputedValues computed() {
        return options.computed();
    }

    KeyOrder order() {
        return order;
    }

    boolean hasKey() {
        return !order.keys().isEmpty();
    }

    /** Returns whether records have the compact layout. */
    @API(status = API.Status.INTERNAL)
    public boolean compact() {
        return compactRows != null;
    }

    /** Returns the schema, or null if these are views of rows. */
    @API(status = API.Status.INTERNAL)
    public @Nullable Schema schema() {
        return schema;
    }

    boolean sameSchema(RecordViews<?> other) {
        return schema != null && other.schema != null && schema.fingerprint() == other.schema.fingerprint();
    }

    /**
     * Creates the view of a record.
     *
     * @param record bytes of the record; stored without a copy, so they must not be changed afterwards
     * @throws IllegalArgumentException if records of the schema have another length. Other faults of the bytes are
     *     reported by getters, and by {@link #validate}
     */
    public T of(byte[] record) {
        requireLength(record);
        return type.cast(form.view(record, 0, null));
    }

    private void requireLength(byte[] record) {
        if (schema != null && compactRows == null && record.length != schema.recordLength()) {
            throw new IllegalArgumentException("Invalid length of a record of schema '" + schema.name() + "': "
                    + record.length + " bytes. Its records have " + schema.recordLength() + " bytes.");
        }
    }

    /**
     * Creates a mutable view of a new record: optional values are absent, other values are zero or empty. If the type
     * is a class, its constructor is called, and the values that it sets are those of the record.
     *
     * @throws UnsupportedOperationException if the type is a record class, or if these are views of rows
     */
    public T create() {
        return create(type, shape);
    }

    /**
     * Creates a mutable view of a new group or element, which can be set or added to a record.
     *
     * <p>If several parts of the record have the type, the view can be set to each of these, and is that of the part
     * that holds the values of all others: of a type that contains itself, the part with the most levels. A list of
     * another part adds a copy of it.
     *
     * @param part type of the group or of the elements
     * @throws IllegalArgumentException if no getter has this type, or if there are several and each holds values that
     *     another does not hold
     */
    public <P> P create(Class<P> part) {
        return create(part, kinds.of(part).shape());
    }

    /**
     * Creates a mutable view of a new group or element for one of the parts that have the type. It holds what this part
     * can hold.
     *
     * @param part type of the group or of the elements
     * @param path path of the part in the schema, such as {@code legs[].payments[]}
     * @throws IllegalArgumentException if no getter has this type at this path
     */
    public <P> P create(Class<P> part, String path) {
        return create(part, kinds.at(part, path).shape());
    }

    private <P> P create(Class<P> part, Shape partShape) {
        RowNode node = RowNode.blank(partShape.scope());
        P view = part.cast(mutable(part, partShape, node));
        kinds.kind(part, partShape).initialize(partShape, node.row(), 0, compactRows == null ? null : node);
        return view;
    }

    private Object mutable(Class<?> part, Shape partShape, RowNode node) {
        if (schema == null || part.isRecord()) {
            throw new UnsupportedOperationException("Views of " + part.getName() + " can't be mutable."
                    + " Use an interface or a class with setters, and the views of a schema.");
        }
        return kinds.kind(part, partShape).mutable().view(node.row(), 0, compactRows == null ? null : node);
    }

    /**
     * Creates a mutable copy of a view, or of any other object of the type.
     *
     * @throws UnsupportedOperationException if the type is a record class, or if these are views of rows
     */
    public T edit(T object) {
        return type.cast(restore(content(object), true));
    }

    Object restore(byte[] record, boolean asMutable) {
        if (!asMutable) {
            return of(record);
        }
        return mutable(
                type,
                shape,
                compactRows == null ? RowNode.of(record.clone(), shape.scope()) : compactRows.read(record));
    }

    /**
     * Returns the bytes of a view, or of any other object of the type, whose getters are called.
     *
     * @return a new array
     * @throws io.millrace.codec.FieldValueException if a field can't hold a value of the object
     */
    public byte[] bytes(T object) {
        return content(object).clone();
    }

    /** Returns an immutable view of the current content of an object of the type. */
    public T view(T object) {
        return of(bytes(object));
    }

    /** Returns the bytes of an object, which must not be changed. */
    @API(status = API.Status.INTERNAL)
    public byte[] content(Object object) {
        if (object instanceof BinaryView view && ViewForm.of(view).kind().sameValues(root)) {
            return compactRows != null && ViewForm.of(view).mutable()
                    ? compactRows.write((RowNode) Objects.requireNonNull(view.millraceState()))
                    : ownBytes(view);
        }
        if (schema == null) {
            throw new UnsupportedOperationException("Views of rows can't be written. Use the views of a schema.");
        }
        RowNode node = RowNode.blank(shape.scope());
        root.assign(object, node.row(), 0, compactRows == null ? null : node);
        return written(node);
    }

    /** Returns the bytes of a record: those of its array, or a copy if the array contains others too. */
    private byte[] ownBytes(BinaryView view) {
        byte[] bytes = view.millraceBytes();
        int at = view.millraceAt();
        return schema == null || compactRows != null || bytes.length == schema.recordLength()
                ? bytes
                : Arrays.copyOfRange(bytes, at, at + schema.recordLength());
    }

    /** Returns a view that creates others, or null if the type is a class of Java records. */
    @API(status = API.Status.INTERNAL)
    public @Nullable BinaryView prototype() {
        return form.prototype();
    }

    /** Returns the bytes of the record that rows contain. */
    @API(status = API.Status.INTERNAL)
    public byte[] written(RowNode node) {
        return compactRows == null ? node.row() : compactRows.write(node);
    }

    /**
     * Returns the type that a class implements or extends, if objects of the class are views: the class itself is
     * internal, and another process does not have it.
     *
     * @return the class itself if its objects are not views
     */
    public static Class<?> typeOf(Class<?> viewClass) {
        ViewForm form = ViewForm.ofClass(viewClass);
        return form == null ? viewClass : form.kind().type();
    }

    /** Returns the type of the views. */
    public Class<T> type() {
        return type;
    }

    /** Returns what represents the type in serialized views. */
    long typeId() {
        return typeId;
    }

    /** Returns the members of the record. */
    @API(status = API.Status.INTERNAL)
    public Shape shape() {
        return shape;
    }

    /** Returns whether the schema allows an object. */
    public boolean isValid(T object) {
        return validate(object).isEmpty();
    }

    /**
     * Returns what the schema does not allow of an object: invalid bytes, numbers outside {@code min} and {@code max},
     * texts that do not match {@code pattern} or that are {@code required} and empty; and the conditions among the
     * {@linkplain Schema#constraints() constraints} of the schema that it does not meet.
     */
    public List<Violation> validate(T object) {
        return Violations.of(object instanceof BinaryView view ? view : form.bare(content(object), 0, null));
    }

    List<Violation> violatedConditions(BinaryView view) {
        return conditions == null ? List.of() : conditions.violations(content(view));
    }

    /** Returns an order of views by key. All views are equal in it if there is no key. */
    public Comparator<T> comparator() {
        return (one, other) -> order.compare((BinaryView) one, (BinaryView) other);
    }
}
