package io.millrace.view;

import io.millrace.schema.Schema;
import io.millrace.view.access.ComputedValues;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The options of {@link RecordViews}. Not thread-safe. */
@API(status = API.Status.STABLE)
public final class RecordViewsBuilder<T> {

    private final Class<T> type;
    private final Schema schema;
    private final Map<String, Function<Object, ? extends @Nullable Object>> computed = new LinkedHashMap<>();
    private final Map<String, Class<?>> subclasses = new HashMap<>();
    private final Map<KindKey, RecordFactory> factories = new HashMap<>();
    private final Set<Class<?>> ignored = new HashSet<>();
    private final Set<String> replacedBodies = new HashSet<>();
    private final Set<String> fieldUse = new HashSet<>();
    private final Set<String> serialization = new HashSet<>();
    private List<String> key = List.of();

    RecordViewsBuilder(Class<T> type, Schema schema) {
        this.type = type;
        this.schema = schema;
    }

    /**
     * Makes the views {@link Comparable} by the values of fields, unless the type has a {@code compareTo} of its own.
     * Absent values come first. If the getter returns a Java enum, its constants are in the order of the enum; names
     * are in the order of texts.
     *
     * @param names names of fields of the record itself, the most significant first
     */
    public RecordViewsBuilder<T> key(String... names) {
        key = List.of(names);
        return this;
    }

    /**
     * Makes a getter return what a function computes. Virtual fields of the schema need no function: their getters
     * compute them.
     *
     * @param name name of the getter's field, such as {@code notional}
     * @param function receives the view; its result has the type of the getter
     */
    @SuppressWarnings("unchecked") // all views have the type
    public RecordViewsBuilder<T> computed(String name, Function<? super T, ? extends @Nullable Object> function) {
        computed.put(name, (Function<Object, ? extends @Nullable Object>) function);
        return this;
    }

    /**
     * Uses a class of the application for views, such as one that {@code millrace model sources --classes} wrote,
     * instead of generating one.
     *
     * @param part type of the record, or of a part of it
     * @param path path of the part, such as {@code legs[].payments[]}; empty for the record
     * @param factory constructor of the class that implements it
     */
    public RecordViewsBuilder<T> implementation(Class<?> part, String path, RecordFactory factory) {
        factories.put(new KindKey(part, path), factory);
        return this;
    }

    /**
     * Accepts objects of classes with members that views do not have. The views have the members of their type only.
     * Otherwise such an object is refused.
     *
     * @param classes subclasses of the type or of a part, or classes that implement it
     */
    public RecordViewsBuilder<T> ignoreMembersOf(Class<?>... classes) {
        ignored.addAll(List.of(classes));
        return this;
    }

    /**
     * Accepts that views replace getters and setters of a class that do more than return or set a field, such as one
     * that returns an upper-case text: views return and set the value in the bytes. And that they replace a
     * {@code clone} that changes the copy. Otherwise such a class is refused.
     *
     * @param methods names of the methods, of the type or of parts
     */
    public RecordViewsBuilder<T> replaceBodies(String... methods) {
        replacedBodies.addAll(List.of(methods));
        return this;
    }

    /**
     * Accepts that methods use fields of the class directly, such as a copy constructor that reads the fields of
     * another object. In a view, fields have their initial values, whatever the bytes contain, and setting a field does
     * not change the bytes. The same applies to methods that call {@code getClass} or a method such as
     * {@code reflectionToString}. Otherwise such a class is refused.
     *
     * @param methods names of methods of the type, of parts, or of classes that are nested in the same class;
     *     {@code <init>} for constructors; names of public fields, which other code may use; and simple names of
     *     superclasses that belong to the JDK
     */
    public RecordViewsBuilder<T> allowFieldUse(String... methods) {
        fieldUse.addAll(List.of(methods));
        return this;
    }

    /**
     * Accepts that views are serialized in a form of their own, although the class changes how its objects are: by
     * methods such as {@code readResolve} and {@code writeObject}, which are not called, or by members in transient
     * fields, whose values serialized views contain. Otherwise such a class is refused.
     *
     * @param names names of methods and of transient fields, of the type or of parts
     */
    public RecordViewsBuilder<T> replaceSerialization(String... names) {
        serialization.addAll(List.of(names));
        return this;
    }

    /**
     * Sets the class of a type of which a part of the record has one. Not needed if the Java type of the part is sealed
     * or has annotations such as {@code @JsonSubTypes}, and the class has the name of the type.
     *
     * @param typeName name of the type in the schema
     * @param subclass subclass of the Java type of the part
     */
    public RecordViewsBuilder<T> subclass(String typeName, Class<?> subclass) {
        subclasses.put(typeName, subclass);
        return this;
    }

    /**
     * Generates the classes.
     *
     * @throws IllegalArgumentException as {@link RecordViews#of(Class, Schema)}, or if the schema has no such key
     */
    public RecordViews<T> build() {
        Schema stored = schema.stored();
        return RecordViews.create(
                type,
                stored,
                new ViewOptions(
                        key,
                        new ComputedValues(stored, computed),
                        Map.copyOf(factories),
                        Set.copyOf(ignored),
                        Set.copyOf(replacedBodies),
                        Set.copyOf(fieldUse),
                        Set.copyOf(serialization),
                        Map.copyOf(subclasses)));
    }
}
