package io.millrace.view.access;

import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.List;
import org.springframework.core.ResolvableType;

/** Finds what the type variables of generic classes stand for. Stateless. */
final class TypeVariables {

    private TypeVariables() {}

    /** Returns whether a type is a variable for which a class, as a subclass, does not state a type. */
    static boolean isOpen(Type type, Class<?> owner) {
        if (!(type instanceof TypeVariable<?> variable)) {
            return false;
        }
        if (!(variable.getGenericDeclaration() instanceof Class<?> declaring)) {
            return true;
        }
        int index = List.of(declaring.getTypeParameters()).indexOf(variable);
        ResolvableType argument = ResolvableType.forClass(owner).as(declaring).getGeneric(index);
        return argument.equals(ResolvableType.NONE)
                || argument.getType().equals(variable)
                || isOpen(argument.getType(), owner);
    }
}
