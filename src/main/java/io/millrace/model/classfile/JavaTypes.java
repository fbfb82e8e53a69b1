package io.millrace.model.classfile;

import java.lang.classfile.Signature;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the signatures of generic types. Stateless. */
final class JavaTypes {

    private static final Signature OBJECT = Signature.parseFrom("Ljava/lang/Object;");

    private static final Set<String> LISTS = Set.of(
            "java/util/List",
            "java/util/Set",
            "java/util/Collection",
            "java/util/SequencedCollection",
            "java/lang/Iterable");

    private JavaTypes() {}

    /** Returns the internal name of a class, such as {@code java/util/List}. */
    static String internalName(Signature.ClassTypeSig type) {
        return type.outerType()
                .map(outer -> internalName(outer) + "$" + type.className())
                .orElse(type.className());
    }

    /** Returns an argument of a type, or Object if it states none. */
    static Signature argument(Signature.ClassTypeSig type, int index) {
        if (index >= type.typeArgs().size()) {
            return OBJECT;
        }
        return switch (type.typeArgs().get(index)) {
            case Signature.TypeArg.Bounded bounded -> bounded.boundType();
            case Signature.TypeArg.Unbounded _ -> OBJECT;
        };
    }

    /** Returns the type of the value that an optional type may contain, or null if the type is another one. */
    static @Nullable Signature present(Signature type) {
        return type instanceof Signature.ClassTypeSig named
                ? switch (internalName(named)) {
                    case "java/util/Optional" -> argument(named, 0);
                    case "java/util/OptionalInt" -> Signature.parseFrom("I");
                    case "java/util/OptionalLong" -> Signature.parseFrom("J");
                    case "java/util/OptionalDouble" -> Signature.parseFrom("D");
                    default -> null;
                }
                : null;
    }

    /** Returns whether a type is a collection whose elements become those of a list. */
    static boolean isList(Signature type) {
        return type instanceof Signature.ArrayTypeSig array
                ? !(array.componentSignature() instanceof Signature.BaseTypeSig base && base.baseType() == 'B')
                : type instanceof Signature.ClassTypeSig named && LISTS.contains(internalName(named));
    }

    static boolean isSet(Signature type) {
        return type instanceof Signature.ClassTypeSig named
                && internalName(named).equals("java/util/Set");
    }

    /** Returns the type of the elements. */
    static Signature element(Signature list) {
        return list instanceof Signature.ArrayTypeSig array
                ? array.componentSignature()
                : argument((Signature.ClassTypeSig) list, 0);
    }

    /** Returns a type in which type variables are replaced by the arguments of the class. */
    static Signature replace(Signature type, Map<String, Signature> arguments) {
        return switch (type) {
            case Signature.TypeVarSig variable -> arguments.getOrDefault(variable.identifier(), type);
            case Signature.ArrayTypeSig array ->
                Signature.ArrayTypeSig.of(replace(array.componentSignature(), arguments));
            case Signature.ClassTypeSig named
            when !named.typeArgs().isEmpty() -> {
                List<Signature.TypeArg> replaced = named.typeArgs().stream()
                        .map(argument -> argument instanceof Signature.TypeArg.Bounded bounded
                                        && replace(bounded.boundType(), arguments) instanceof Signature.RefTypeSig bound
                                ? (Signature.TypeArg) Signature.TypeArg.bounded(bounded.wildcardIndicator(), bound)
                                : argument)
                        .toList();
                Signature.TypeArg[] all = replaced.toArray(Signature.TypeArg[]::new);
                yield named.outerType()
                        .map(outer -> Signature.ClassTypeSig.of(outer, named.className(), all))
                        .orElseGet(() -> Signature.ClassTypeSig.of(named.className(), all));
            }
            default -> type;
        };
    }

    /** Returns a type as Java code writes it, such as {@code java.util.List}. */
    static String show(Signature type) {
        return switch (type) {
            case Signature.ClassTypeSig named ->
                internalName(named).replace('/', '.').replace('$', '.');
            case Signature.ArrayTypeSig array -> show(array.componentSignature()) + "[]";
            case Signature.TypeVarSig variable -> variable.identifier();
            case Signature.BaseTypeSig base ->
                switch (base.baseType()) {
                    case 'Z' -> "boolean";
                    case 'B' -> "byte";
                    case 'S' -> "short";
                    case 'C' -> "char";
                    case 'I' -> "int";
                    case 'J' -> "long";
                    case 'F' -> "float";
                    case 'D' -> "double";
                    default -> "void";
                };
        };
    }
}
