package io.millrace.expression;

import io.millrace.expression.ir.Ir;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The kinds of nodes of typed forms: the node's name, and where it has one its operator, relation or function. Not
 * thread-safe.
 */
final class SeenNodes {

    private final Set<String> kinds = new TreeSet<>();

    void add(Ir node) {
        kinds.add(node.getClass().getSimpleName());
        Arrays.stream(node.getClass().getRecordComponents())
                .filter(component -> component.getType().isEnum())
                .forEach(component -> kinds.add(kind(node.getClass(), value(component, node))));
        node.operands().forEach(this::add);
    }

    Set<String> kinds() {
        return kinds;
    }

    /** All kinds that there can be. */
    static Set<String> all() {
        Set<String> all = new TreeSet<>();
        nodes(Ir.class).forEach(node -> {
            all.add(node.getSimpleName());
            Arrays.stream(node.getRecordComponents())
                    .map(RecordComponent::getType)
                    .filter(Class::isEnum)
                    .flatMap(type -> Arrays.stream(type.getEnumConstants()))
                    .forEach(constant -> all.add(kind(node, constant)));
        });
        return all;
    }

    private static Stream<Class<?>> nodes(Class<?> type) {
        return type.isRecord()
                ? Stream.of(type)
                : Arrays.stream(type.getPermittedSubclasses())
                        .<Class<?>>flatMap(SeenNodes::nodes)
                        .distinct();
    }

    private static String kind(Class<?> node, Object constant) {
        return node.getSimpleName() + " " + constant;
    }

    private static Object value(RecordComponent component, Ir node) {
        try {
            return component.getAccessor().invoke(node);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }
}
