package io.millrace.codec.view;

import io.millrace.codec.bytecode.PropertyNames;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Finds members of subclasses, which views of a type do not have: values with a field and a getter of their own.
 * Thread-safe.
 */
final class LostMembers {

    private final Class<?> type;
    private final Set<Class<?>> accepted;
    private final ClassValue<List<String>> ofClass = new ClassValue<>() {
        @Override
        protected List<String> computeValue(Class<?> subclass) {
            return find(subclass);
        }
    };

    /**
     * @param type type of the views
     * @param accepted classes whose own members may be lost
     */
    LostMembers(Class<?> type, Set<Class<?>> accepted) {
        this.type = type;
        this.accepted = accepted;
    }

    /**
     * Requires that views of the type have all members of an object.
     *
     * @throws IllegalArgumentException if the object has others
     */
    void requireNone(Object object) {
        List<String> lost = ofClass.get(object.getClass());
        if (!lost.isEmpty()) {
            String subclass = object.getClass().getName();
            throw new IllegalArgumentException("Views of " + type.getName() + " would lose " + lost + " of " + subclass
                    + ". Add them to the type and to the schema, or accept the loss with ignoreMembersOf("
                    + object.getClass().getSimpleName() + ".class) of the builder.");
        }
    }

    private List<String> find(Class<?> subclass) {
        List<String> lost = new ArrayList<>();
        for (Class<?> each = subclass;
                each != null && each != type && each != Object.class && !accepted.contains(each);
                each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())
                        && !Modifier.isTransient(field.getModifiers())
                        && !field.isSynthetic()
                        && isLost(each, field)) {
                    lost.add(field.getName());
                }
            }
        }
        return List.copyOf(lost);
    }

    private boolean isLost(Class<?> subclass, Field field) {
        String name = field.getName();
        return Arrays.stream(subclass.getDeclaredMethods())
                .filter(method -> method.getParameterCount() == 0
                        && Modifier.isPublic(method.getModifiers())
                        && method.getReturnType() == field.getType()
                        && (method.getName().equals(name)
                                || PropertyNames.of(method.getName(), ViewClass.descriptor(method))
                                        .contains(name)))
                .map(Method::getName)
                .anyMatch(getter -> Arrays.stream(type.getMethods())
                        .noneMatch(method -> method.getName().equals(getter) && method.getParameterCount() == 0));
    }
}
