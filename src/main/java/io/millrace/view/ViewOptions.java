package io.millrace.view;

import io.millrace.codec.javatype.TypeProblem;
import io.millrace.schema.Choice;
import io.millrace.view.access.ComputedValues;
import io.millrace.view.type.StatedSubclasses;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The options of views. Immutable.
 *
 * @param key names of the fields by which views are ordered; empty for none
 * @param computed values of getters that are computed
 * @param factories constructors of the classes that the application has, by the type and the part that they implement
 * @param ignored classes whose own members may be lost
 * @param replacedBodies names of getters and setters whose bodies views may replace, whatever they do
 * @param fieldUse names of methods that may use fields directly
 * @param serialization names of methods and fields that change how objects are serialized, but not views
 * @param subclasses classes of the types of which a part has one, by the names of these
 */
record ViewOptions(
        List<String> key,
        ComputedValues computed,
        Map<KindKey, RecordFactory> factories,
        Set<Class<?>> ignored,
        Set<String> replacedBodies,
        Set<String> fieldUse,
        Set<String> serialization,
        Map<String, Class<?>> subclasses) {

    /** No options. */
    static final ViewOptions NONE =
            new ViewOptions(List.of(), ComputedValues.NONE, Map.of(), Set.of(), Set.of(), Set.of(), Set.of(), Map.of());

    /** Returns a text that differs if options do, except for functions and constructors that have the same purpose. */
    String description() {
        Set<String> all = new TreeSet<>();
        factories
                .keySet()
                .forEach(part -> all.add("implementation " + part.type().getName() + " " + part.path()));
        computed.functions().keySet().forEach(name -> all.add("computed " + name));
        ignored.forEach(type -> all.add("ignored " + type.getName()));
        replacedBodies.forEach(name -> all.add("body " + name));
        fieldUse.forEach(name -> all.add("field use " + name));
        serialization.forEach(name -> all.add("serialization " + name));
        subclasses.forEach((name, type) -> all.add("subclass " + name + " " + type.getName()));
        return key + " " + all;
    }

    /** Returns whether the application accepts a problem of a type. */
    boolean accepts(TypeProblem problem) {
        return switch (problem.option()) {
            case REPLACE_BODIES -> replacedBodies.contains(problem.name());
            case ALLOW_FIELD_USE -> fieldUse.contains(problem.name());
            case REPLACE_SERIALIZATION -> serialization.contains(problem.name());
            case null, default -> false;
        };
    }

    /**
     * Returns the classes of the types of which a part has one, by the names of these: those that the application has
     * named, and otherwise the subclasses that the Java type states. Empty if it has none.
     *
     * @throws IllegalArgumentException if only some are known
     */
    Map<String, Class<?>> subclasses(Class<?> type, Choice choice) {
        Map<String, Class<?>> found = new LinkedHashMap<>();
        List<Class<?>> stated = StatedSubclasses.of(type);
        for (String name : choice.members().keySet()) {
            Class<?> named = subclasses.get(name);
            if (named != null && type.isAssignableFrom(named)) {
                found.put(name, named);
            } else {
                stated.stream()
                        .filter(subclass -> subclass.getSimpleName().equals(name))
                        .findFirst()
                        .ifPresent(subclass -> found.put(name, subclass));
            }
        }
        Set<String> missing = new TreeSet<>(choice.members().keySet());
        missing.removeAll(found.keySet());
        if (!found.isEmpty() && !missing.isEmpty()) {
            String first = missing.iterator().next();
            throw new IllegalArgumentException("Unknown subclasses of " + type.getName() + " for the types " + missing
                    + " of the schema. Add subclass(\"" + first + "\", " + first + ".class) to the builder.");
        }
        return found;
    }
}
