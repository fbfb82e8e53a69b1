package io.millrace.codec.javatype;

import java.lang.classfile.Attributes;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.util.Set;

/** Methods that views implement if a type declares them as abstract ones. Stateless. */
public final class ProvidedMethods {

    private static final String BYTES = "bytes()[B";
    private static final Set<String> METHODS = Set.of("isValid()Z", "validate()Ljava/util/List;", BYTES);

    /** Types of the elements that the result of {@code validate} can have. */
    private static final Set<String> VIOLATIONS = Set.of(
            "()Ljava/util/List<Lio/millrace/view/Violation;>;",
            "()Ljava/util/List<+Lio/millrace/view/Violation;>;",
            "()Ljava/util/List<*>;");

    private ProvidedMethods() {}

    /**
     * Returns whether views of a type implement a method. One of another type, such as a {@code bytes} that returns a
     * text, is a getter or nothing.
     *
     * @param root whether the views are of whole records, which have bytes of their own
     */
    public static boolean contain(MethodModel method, boolean root) {
        String signature =
                method.methodName().stringValue() + method.methodType().stringValue();
        return method.flags().has(AccessFlag.ABSTRACT)
                && METHODS.contains(signature)
                && (root || !signature.equals(BYTES))
                && method.findAttribute(Attributes.signature())
                        .map(each -> VIOLATIONS.contains(each.signature().stringValue()))
                        .orElse(true);
    }
}
