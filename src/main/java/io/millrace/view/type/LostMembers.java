package io.millrace.view.type;

import io.millrace.codec.bytecode.AccessorBody;
import io.millrace.codec.bytecode.PropertyNames;
import java.lang.classfile.MethodModel;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds members of subclasses, which views of a type do not have: values with a field of their own that is public or
 * has a getter, and methods that replace one of the type. The getters of the type are called, so these may be replaced.
 * Thread-safe.
 */
public final class LostMembers {

    private final Class<?> type;
    private final Set<Class<?>> accepted;

    /** Methods of the type that views inherit, which subclasses may replace. */
    private final List<Method> inherited;

    private final ClassValue<List<String>> ofClass = new ClassValue<>() {
        @Override
        protected List<String> computeValue(Class<?> subclass) {
            return find(subclass);
        }
    };

    /**
     * @param type type of the views
     * @param accepted classes whose own members may be lost
     * @param accessors methods of the type that views replace
     */
    public LostMembers(Class<?> type, Set<Class<?>> accepted, List<Accessor> accessors) {
        this.type = type;
        this.accepted = accepted;
        Set<Method> replaced = accessors.stream().map(Accessor::method).collect(Collectors.toSet());
        this.inherited = Accessor.methods(type).stream()
                .filter(method -> !Modifier.isAbstract(method.getModifiers()) && !replaced.contains(method))
                .toList();
    }

    /**
     * Requires that views of the type have all members of an object.
     *
     * @throws IllegalArgumentException if the object has others
     */
    public void requireNone(Object object) {
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
            // A class without a class file is a proxy, which calls the methods of the class that it extends.
            if (ClassFiles.bytes(each) != null) {
                replaced(each, lost);
            }
        }
        return List.copyOf(lost);
    }

    /** Adds the methods of a subclass that replace one which views inherit. */
    private void replaced(Class<?> subclass, List<String> lost) {
        for (Method method : subclass.getDeclaredMethods()) {
            if (!method.isBridge()
                    && !Modifier.isStatic(method.getModifiers())
                    && inherited.stream()
                            .anyMatch(each -> each.getName().equals(method.getName())
                                    && Arrays.equals(each.getParameterTypes(), method.getParameterTypes()))) {
                lost.add(method.getName() + "()");
            }
        }
    }

    private boolean isLost(Class<?> subclass, Field field) {
        boolean shown = Arrays.stream(type.getMethods()).anyMatch(method -> isNamed(method, field));
        return !shown
                && (Modifier.isPublic(field.getModifiers())
                        || Arrays.stream(subclass.getDeclaredMethods())
                                .filter(method -> method.getParameterCount() == 0
                                        && Modifier.isPublic(method.getModifiers())
                                        && (isNamed(method, field) || returns(method, field)))
                                .map(Method::getName)
                                .anyMatch(getter -> Arrays.stream(type.getMethods())
                                        .noneMatch(method ->
                                                method.getName().equals(getter) && method.getParameterCount() == 0)));
    }

    /** Returns whether a method has the name of the getter of a field. */
    private static boolean isNamed(Method method, Field field) {
        return method.getParameterCount() == 0
                && (method.getName().equals(field.getName())
                        || PropertyNames.of(method.getName(), ClassFiles.descriptor(method))
                                .contains(field.getName()));
    }

    private static boolean returns(Method method, Field field) {
        MethodModel model = ClassFiles.method(method);
        String returned = model == null ? null : AccessorBody.field(model);
        return returned != null && returned.endsWith("." + field.getName());
    }
}
