package io.millrace.codec.bytecode;

import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.stream.Stream;

/**
 * The names of the property that a getter or setter reads or writes. Libraries derive different names from some
 * methods: {@code getISIN} is {@code ISIN} for JavaBeans, SpEL and Jackson 3, and {@code isin} for Jackson 2.
 * Stateless.
 */
public final class PropertyNames {

    private PropertyNames() {}

    /**
     * Returns the names of the property: that of JavaBeans and Jackson 3, the name of the method without its prefix and
     * with a lower-case first letter, and that of Jackson 2. They are the same for most methods. Returns an empty list
     * if the method is not a getter or setter: {@code get} and a name, {@code is} and a name with a result of type
     * boolean or Boolean, or {@code set} and a name with one parameter. The name starts with an upper-case letter, or
     * has one as its second letter, so {@code getaway} is not a getter.
     *
     * @param descriptor descriptor of the method, such as {@code ()Z}
     */
    public static List<String> of(String method, String descriptor) {
        String prefix =
                prefix(descriptor).filter(method::startsWith).findFirst().orElse("");
        String rest = method.substring(prefix.length());
        boolean word = !rest.isEmpty()
                && Character.isLowerCase(rest.charAt(0))
                && (rest.length() == 1 || !Character.isUpperCase(rest.charAt(1)));
        return prefix.isEmpty() || rest.isEmpty() || word
                ? List.of()
                : Stream.of(decapitalized(rest), lowerCase(rest, 1), lowerCaseStart(rest))
                        .distinct()
                        .toList();
    }

    private static Stream<String> prefix(String descriptor) {
        if (descriptor.startsWith("()")) {
            boolean truth = descriptor.equals("()Z") || descriptor.equals("()Ljava/lang/Boolean;");
            return truth ? Stream.of("get", "is") : descriptor.equals("()V") ? Stream.of() : Stream.of("get");
        }
        return MethodTypeDesc.ofDescriptor(descriptor).parameterCount() == 1 ? Stream.of("set") : Stream.of();
    }

    /** As Jackson 2: all upper-case letters at the start become lower-case. */
    private static String lowerCaseStart(String name) {
        int upper = 0;
        while (upper < name.length() && Character.isUpperCase(name.charAt(upper))) {
            upper++;
        }
        return lowerCase(name, upper);
    }

    /** As {@code java.beans.Introspector}: a name that starts with two upper-case letters stays as it is. */
    private static String decapitalized(String name) {
        boolean acronym =
                name.length() > 1 && Character.isUpperCase(name.charAt(0)) && Character.isUpperCase(name.charAt(1));
        return acronym ? name : lowerCase(name, 1);
    }

    private static String lowerCase(String name, int letters) {
        StringBuilder text = new StringBuilder(name);
        for (int i = 0; i < letters; i++) {
            text.setCharAt(i, Character.toLowerCase(name.charAt(i)));
        }
        return text.toString();
    }
}
