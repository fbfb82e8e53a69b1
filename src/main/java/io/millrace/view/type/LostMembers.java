package io.millrace.view.type;

import io.millrace.codec.javatype.DeclaredType;
import io.millrace.codec.javatype.SubclassMembers;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds members of the classes of objects, which views of a type do not have. Thread-safe. */
public final class LostMembers {

    private final Class<?> type;
    private final Set<Class<?>> accepted;
    private final SubclassMembers members;

    private final ClassValue<List<String>> ofClass = new ClassValue<>() {
        @Override
        protected List<String> computeValue(Class<?> subclass) {
            return members.lost(classes(subclass));
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
        this.members = new SubclassMembers(
                DeclaredTypes.withSupertypes(type),
                accessors.stream()
                        .map(accessor -> accessor.method().getName() + ClassFiles.descriptor(accessor.method()))
                        .collect(Collectors.toSet()));
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

    private List<DeclaredType> classes(Class<?> subclass) {
        return Stream.<Class<?>>iterate(
                        subclass,
                        each -> each != null && each != type && each != Object.class && !accepted.contains(each),
                        Class::getSuperclass)
                .map(DeclaredTypes::of)
                .toList();
    }
}
