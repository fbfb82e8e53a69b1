package io.millrace.model.classfile;

import io.millrace.codec.bytecode.PropertyNames;
import io.millrace.codec.javatype.AccessorMethod;
import io.millrace.codec.javatype.DeclaredType;
import io.millrace.codec.javatype.DeclaredType.Declared;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the getters and setters of a type that views replace, as {@code RecordViews} does. Stateless. */
final class TypeAccessors {

    private TypeAccessors() {}

    /**
     * Returns the methods that views of a type replace, getters first.
     *
     * @param supertypes the type and its supertypes
     * @param members names of the members of the schema
     */
    static List<AccessorMethod> of(List<DeclaredType> supertypes, Set<String> members) {
        DeclaredType type = supertypes.getFirst();
        Set<String> seen = new HashSet<>();
        List<AccessorMethod> found = new ArrayList<>();
        for (DeclaredType each : supertypes) {
            for (Declared method : each.methods()) {
                boolean first = seen.add(method.name() + method.descriptor());
                String member = first && isReplaced(type, each, method) ? member(each, method, members) : null;
                if (member != null) {
                    found.add(new AccessorMethod(member, method.name(), method.descriptor(), model(each, method)));
                }
            }
        }
        found.sort(Comparator.comparing((AccessorMethod each) -> !each.getter()).thenComparing(AccessorMethod::name));
        return found;
    }

    static MethodModel model(DeclaredType type, Declared method) {
        return Objects.requireNonNull(type.model()).methods().stream()
                .filter(each -> each.methodName().equalsString(method.name())
                        && each.methodType().equalsString(method.descriptor()))
                .findFirst()
                .orElseThrow();
    }

    /** Returns whether views of a type replace a method of it if it is that of a member. */
    private static boolean isReplaced(DeclaredType type, DeclaredType declaring, Declared method) {
        boolean visible = method.is(Modifier.PUBLIC | Modifier.PROTECTED)
                || (!method.is(Modifier.PRIVATE) && type.packageName().equals(declaring.packageName()));
        boolean computed = declaring.is(Modifier.INTERFACE) && !method.is(Modifier.ABSTRACT);
        return visible
                && !computed
                && !method.is(Modifier.STATIC)
                && (!method.is(Modifier.FINAL) || type.record())
                && !method.is(AccessFlag.BRIDGE.mask());
    }

    /** Returns the names of the members that are part of the schema. */
    static Set<String> names(List<JavaMember> members, Set<String> without) {
        return members.stream()
                .filter(member -> !member.computed() && !without.contains(member.name()))
                .map(JavaMember::name)
                .collect(Collectors.toSet());
    }

    /** Returns the member that a method reads or writes, or null. */
    static @Nullable String member(DeclaredType type, Declared method, Set<String> members) {
        List<String> candidates = new ArrayList<>(PropertyNames.of(method.name(), method.descriptor()));
        if ((method.is(Modifier.ABSTRACT) || type.record())
                && method.descriptor().startsWith("()")
                && !method.descriptor().endsWith(")V")) {
            candidates.addFirst(method.name());
        }
        return candidates.stream().filter(members::contains).findFirst().orElse(null);
    }

    /** Returns the names of the getters and setters of members. */
    static Set<String> methods(List<DeclaredType> supertypes, Set<String> members) {
        return supertypes.stream()
                .flatMap(each -> each.methods().stream())
                .filter(method -> PropertyNames.of(method.name(), method.descriptor()).stream()
                        .anyMatch(members::contains))
                .map(Declared::name)
                .collect(Collectors.toSet());
    }
}
