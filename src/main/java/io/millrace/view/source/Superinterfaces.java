package io.millrace.view.source;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import javax.lang.model.SourceVersion;
import org.jspecify.annotations.Nullable;

/** Adds interfaces of an application to generated ones. Only their names are known here. Stateless. */
final class Superinterfaces {

    /** Characters of type arguments that are not part of names. */
    private static final String ARGUMENTS = "<>.,?[] \n";

    private Superinterfaces() {}

    /**
     * Makes generated interfaces extend others.
     *
     * @param options texts such as {@code Leg=com.bank.Priced,com.bank.Identified}; one can also name several types:
     *     {@code Leg=com.bank.Priced,Swap=com.bank.Identified}
     * @param types all generated interfaces
     * @throws IllegalArgumentException if an option is invalid, or names a type that is not there or not the only one
     */
    static void add(Collection<String> options, List<SourceType> types) {
        String joined = String.join(",", options);
        SourceType type = null;
        for (String part : joined.isBlank() ? List.<String>of() : split(joined)) {
            int equals = part.indexOf('=');
            if (equals >= 0) {
                type = type(part.substring(0, equals).strip(), types);
            }
            add(part.substring(equals + 1).strip(), type);
        }
    }

    /** Splits a text at the commas that are not within type arguments. */
    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            depth += each == '<' ? 1 : each == '>' ? -1 : 0;
            if (each == ',' && depth == 0) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }

    private static void add(String name, @Nullable SourceType type) {
        if (!isValid(name)) {
            throw new IllegalArgumentException("Invalid interface '" + name
                    + "' for a generated type to extend. Use a Java name with its package, such as com.bank.Priced.");
        }
        if (type == null) {
            throw new IllegalArgumentException("Missing type that extends the interface '" + name
                    + "'. Use TYPE=INTERFACE, such as Leg=" + name + ".");
        }
        type.extend(name);
    }

    /** Type arguments are only checked for characters: the compiler reports the rest. */
    private static boolean isValid(String name) {
        int arguments = name.indexOf('<');
        return arguments < 0
                ? SourceVersion.isName(name)
                : SourceVersion.isName(name.substring(0, arguments))
                        && name.endsWith(">")
                        && name.chars()
                                .allMatch(each -> Character.isJavaIdentifierPart(each) || ARGUMENTS.indexOf(each) >= 0);
    }

    /** Returns the type with a path, or the only one whose path has this end. */
    private static SourceType type(String name, List<SourceType> types) {
        for (SourceType type : types) {
            if (type.path().equals(name)) {
                return type;
            }
        }
        List<SourceType> found =
                types.stream().filter(type -> type.path().endsWith("." + name)).toList();
        if (found.size() != 1) {
            throw new IllegalArgumentException((found.isEmpty() ? "Unknown" : "Ambiguous") + " type '" + name
                    + "' of a generated interface. Use one of: "
                    + (found.isEmpty() ? types : found)
                            .stream().map(SourceType::path).sorted().collect(Collectors.joining(", "))
                    + ".");
        }
        return found.getFirst();
    }
}
