package io.millrace.view.source;

import io.millrace.view.source.SourceType.SourceMember;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import javax.lang.model.SourceVersion;

/**
 * Writes the Java source of a class of plain objects that implements the interface of a schema: a field, a getter and a
 * setter for each member. Parts of the record are nested classes, one for each interface. Not thread-safe.
 */
final class ClassicSource {

    /** Names that fields can't have: those of locals, and of methods that views would take for getters. */
    private static final Set<String> RESERVED = Set.of("other", "that", "value", "hashCode", "toString");

    /** Types of lists whose elements can be equal without being equal objects. */
    private static final Set<String> CONTENT_LISTS = Set.of("List<BigDecimal>", "List<Number>", "List<byte[]>");

    /** Types that the class uses if it has such members. */
    private static final List<Class<?>> HELPERS = List.of(
            ArrayList.class,
            Arrays.class,
            BigDecimal.class,
            ByteBuffer.class,
            IntFunction.class,
            List.class,
            Objects.class,
            UnaryOperator.class);

    private final SourceModel model;
    private final StringBuilder body = new StringBuilder();

    private ClassicSource(SourceModel model) {
        this.model = model;
    }

    /**
     * Returns the source of the compilation unit. The same schema always has the same source.
     *
     * @param packageName package of the class and of its interface; empty for the unnamed one
     */
    static String of(SourceModel model, String packageName) {
        ClassicSource source = new ClassicSource(model);
        source.writeRecord();
        Set<String> imports = new TreeSet<>(model.imports());
        HELPERS.stream()
                .filter(each -> source.body.indexOf(each.getSimpleName()) >= 0)
                .forEach(each -> imports.add(each.getName()));
        return model.unit(packageName, imports, source.body);
    }

    private void line(String indent, String text) {
        body.append(text.isEmpty() ? "" : indent).append(text).append('\n');
    }

    private void lines(String indent, String text) {
        text.lines().forEach(each -> line(indent, each));
    }

    private void writeRecord() {
        lines("", """
                /**
                 * A {@link %1$s} whose values are in fields. Setters accept values that the schema does not allow, which
                 * {@link %3$s#bytes} refuses. Not thread-safe.
                 */
                public final class %2$s implements %1$s {
                """.formatted(
                model.root().name(), model.root().classicName(), model.root().factoryName()));
        writeMembers(model.root(), "    ");
        model.types().forEach(each -> writePart(each, "    "));
        writeParts(model.root(), "    ");
        helpers();
        line("", "}");
    }

    private void writeParts(SourceType type, String indent) {
        for (SourceMember member : type.members()) {
            if (member.part() != null && member.declared()) {
                writePart(member.part(), indent);
            }
        }
    }

    private void writePart(SourceType type, String indent) {
        line("", "");
        line(indent, "/** " + type.comment() + " */");
        line(indent, "public static final class " + type.classicName() + " implements " + type.name() + " {");
        writeMembers(type, indent + "    ");
        writeParts(type, indent + "    ");
        line(indent, "}");
    }

    private void writeMembers(SourceType type, String indent) {
        Map<SourceMember, String> fields = fields(type);
        line("", "");
        fields.forEach((member, field) ->
                line(indent, "private " + member.type() + " " + field + SourceInitial.initializer(type, member) + ";"));
        constructors(type, indent);
        fields.forEach((member, field) -> accessors(member, field, indent));
        methodsOfObject(type, fields, indent);
    }

    /** Returns the names of the fields, which differ. */
    private static Map<SourceMember, String> fields(SourceType type) {
        Map<SourceMember, String> fields = new LinkedHashMap<>();
        Set<String> used = new HashSet<>();
        type.members().forEach(member -> used.add(member.name()));
        for (SourceMember member : type.members()) {
            String field = member.name();
            if (RESERVED.contains(field) || SourceVersion.isKeyword(field)) {
                do {
                    field += "_";
                } while (!used.add(field));
            }
            fields.put(member, field);
        }
        return fields;
    }

    private void constructors(SourceType type, String indent) {
        String name = type.classicName();
        line("", "");
        line(indent, "/** Creates an object: optional values are absent, other values are zero or empty. */");
        line(indent, "public " + name + "() {}");
        line("", "");
        line(indent, "/** Creates a copy that shares nothing that can change. */");
        line(indent, "public " + name + "(" + type.name() + " other) {");
        for (SourceMember member : type.members()) {
            line(indent, "    set" + member.property() + "(" + copied(type, member) + ");");
        }
        line(indent, "}");
    }

    private static String copied(SourceType type, SourceMember member) {
        String value = "other." + member.getter() + "()";
        boolean list = isList(member);
        String copy = member.part() != null
                ? member.part().classicName() + "::new"
                : member.type().contains("byte[]") ? "byte[]::clone" : "";
        String helper = list ? "copies" : "copy";
        return copy.isEmpty() ? value : type.classicHelper(helper) + "(" + value + ", " + copy + ")";
    }

    private static boolean isList(SourceMember member) {
        return member.type().startsWith("List<");
    }

    private void accessors(SourceMember member, String field, String indent) {
        line("", "");
        line(indent, "@Override");
        line(indent, "public " + member.type() + " " + member.getter() + "() {");
        line(indent, "    return " + field + ";");
        line(indent, "}");
        line("", "");
        line(indent, "@Override");
        line(indent, "public void set" + member.property() + "(" + member.type() + " value) {");
        String value = isList(member) ? "value == null ? new ArrayList<>() : new ArrayList<>(value)" : "value";
        line(indent, "    " + field + " = " + value + ";");
        line(indent, "}");
    }

    private void methodsOfObject(SourceType type, Map<SourceMember, String> fields, String indent) {
        List<String> equal = new ArrayList<>(List.of("other instanceof " + type.classicName() + " that"));
        List<String> hashed = new ArrayList<>();
        List<String> shown = new ArrayList<>();
        fields.forEach((member, field) -> {
            equal.add(equal(type, member.type(), field));
            hashed.add(hashed(type, member.type(), field));
            shown.add(member.name() + "=\" + " + shown(member.type(), field));
        });
        String next = "\n" + indent + "            ";
        line("", "");
        line(indent, "@Override");
        line(indent, "public boolean equals(Object other) {");
        line(indent, "    return " + String.join(next + "&& ", equal) + ";");
        line(indent, "}");
        line("", "");
        line(indent, "@Override");
        line(indent, "public int hashCode() {");
        line(indent, "    return Objects.hash(" + next + String.join("," + next, hashed) + ");");
        line(indent, "}");
        line("", "");
        line(indent, "@Override");
        line(indent, "public String toString() {");
        line(indent, "    return \"" + type.name() + "[" + String.join(next + "+ \", ", shown) + next + "+ \"]\";");
        line(indent, "}");
    }

    private static String equal(SourceType owner, String type, String field) {
        String other = "that." + field;
        String content = owner.classicHelper("content");
        return switch (type) {
            case "boolean", "int", "long" -> field + " == " + other;
            case "double" -> "Double.compare(" + field + ", " + other + ") == 0";
            case "byte[]" -> "Arrays.equals(" + field + ", " + other + ")";
            default ->
                hasContent(type)
                        ? "Objects.equals(" + content + "(" + field + "), " + content + "(" + other + "))"
                        : "Objects.equals(" + field + ", " + other + ")";
        };
    }

    private static String hashed(SourceType owner, String type, String field) {
        return type.equals("byte[]")
                ? "Arrays.hashCode(" + field + ")"
                : hasContent(type) ? owner.classicHelper("content") + "(" + field + ")" : field;
    }

    private static String shown(String type, String field) {
        return switch (type) {
            case "byte[]" -> "Arrays.toString(" + field + ")";
            case "List<byte[]>" -> "Arrays.deepToString(" + field + ".toArray())";
            default -> field;
        };
    }

    /** Returns whether equal values of a type are not equal objects. */
    private static boolean hasContent(String type) {
        return type.equals("BigDecimal") || type.equals("Number") || CONTENT_LISTS.contains(type);
    }

    /** Writes the methods that members use. */
    private void helpers() {
        boolean hasLists = CONTENT_LISTS.stream().anyMatch(type -> body.indexOf("private " + type + " ") >= 0);
        helper("list", """
                private static <T> List<T> list(int count, IntFunction<T> element) {
                    List<T> elements = new ArrayList<>();
                    for (int i = 0; i < count; i++) {
                        elements.add(element.apply(i));
                    }
                    return elements;
                }
                """);
        helper("copy", """
                private static <T> T copy(T value, UnaryOperator<T> copy) {
                    return value == null ? null : copy.apply(value);
                }
                """);
        helper("copies", """
                private static <T> List<T> copies(List<T> values, UnaryOperator<T> copy) {
                    return values == null ? null : values.stream().map(copy).toList();
                }
                """);
        helper("content", hasLists ? """
                /** Returns what equal values have in common: 1.5 and 1.50 are equal, as are arrays with the same bytes. */
                private static Object content(Object value) {
                    return switch (value) {
                        case Number number -> new BigDecimal(number.toString()).stripTrailingZeros();
                        case byte[] bytes -> ByteBuffer.wrap(bytes);
                        case List<?> elements -> elements.stream().map(%s::content).toList();
                        case null, default -> value;
                    };
                }
                """.formatted(model.root().classicName()) : """
                /** Returns what equal numbers have in common: 1.5 and 1.50 are equal. */
                private static BigDecimal content(Number value) {
                    return value == null ? null : new BigDecimal(value.toString()).stripTrailingZeros();
                }
                """);
    }

    private void helper(String name, String source) {
        if (body.indexOf(model.root().classicHelper(name) + "(") >= 0) {
            line("", "");
            lines("    ", source);
        }
    }
}
