package io.millrace.codec.view;

import io.millrace.codec.view.Shape.ValueMember;
import io.millrace.codec.view.SourceType.SourceMember;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.schema.SchemaReader;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes the Java source of a class that implements the interface of a schema over the bytes of a record. Parts of the
 * record are nested classes. In the fixed layout, getters read whole words at literal offsets; everything else is a
 * {@link RecordMember}. Not thread-safe.
 */
final class ClassSource {

    private static final Set<String> IMPORTS = Set.of(
            BinaryRecord.class.getName(),
            RecordForm.class.getName(),
            RecordMember.class.getName(),
            RecordViews.class.getName(),
            Schema.class.getName(),
            SchemaReader.class.getName(),
            StandardCharsets.class.getName());

    private final SourceModel model;
    private final StringBuilder body = new StringBuilder();

    private ClassSource(SourceModel model) {
        this.model = model;
    }

    /**
     * Returns the source of the compilation unit. The same schema file always has the same source.
     *
     * @param packageName package of the class and of its interface; empty for the unnamed one
     * @param yaml content of the schema file
     */
    static String of(SourceModel model, String packageName, String yaml) {
        ClassSource source = new ClassSource(model);
        source.writeRecord(yaml);
        Set<String> imports = new TreeSet<>(IMPORTS);
        imports.addAll(model.imports());
        return model.unit(packageName, imports, source.body);
    }

    /** Returns the simple name of the class that implements an interface. */
    static String className(SourceType type) {
        return SourceModel.CLASS_PREFIX + type.name();
    }

    private void line(String indent, String text) {
        body.append(text.isEmpty() ? "" : indent).append(text).append('\n');
    }

    private void lines(String indent, String text) {
        text.lines().forEach(each -> line(indent, each));
    }

    private void writeRecord(String yaml) {
        SourceType type = model.root();
        String schema = model.schema().name();
        lines("", """
                /**
                 * A {@link %1$s} that reads and writes the bytes of a record of the schema {@code %2$s}. An immutable record is
                 * safe for use by many threads; a mutable one belongs to one thread.
                 */
                public final class %3$s extends BinaryRecord implements %1$s {

                    private static final long serialVersionUID = 1;
                """.formatted(type.name(), schema, className(type)));
        line("", "");
        line(
                "    ",
                "private static final Schema SCHEMA = SchemaReader.read(\"" + schema + ".yml\", "
                        + TextBlocks.literal(yaml, "            ") + ".getBytes(StandardCharsets.UTF_8));");
        line("", "");
        line("    ", "/** Reads and writes objects that implement {@link " + type.name() + "}. */");
        line(
                "    ",
                "public static final RecordViews<" + type.name() + "> VIEWS = RecordViews.builder(" + type.name()
                        + ".class, SCHEMA)");
        implementations(type, type.name(), "", "");
        line("            ", ".build();");
        members(type, type.name(), "    ");
        methods(type);
        accessors(type, "    ");
        parts(type, type.name(), "    ");
        line("", "}");
    }

    /**
     * @param path name of the interface, from that of the record
     * @param prefix precedes the name of the class, from within that of the record
     * @param inner precedes the names of the classes of parts
     */
    private void implementations(SourceType type, String path, String prefix, String inner) {
        line("            ", ".implementation(" + path + ".class, " + prefix + className(type) + "::new)");
        for (SourceMember member : type.members()) {
            SourceType part = member.part();
            if (part != null) {
                implementations(part, path + "." + part.name(), inner, inner + className(part) + ".");
            }
        }
    }

    private void parts(SourceType type, String path, String indent) {
        for (SourceMember member : type.members()) {
            SourceType part = member.part();
            if (part != null) {
                line("", "");
                line(indent, "/** " + part.comment() + " */");
                line(
                        indent,
                        "public static final class " + className(part) + " extends BinaryRecord implements "
                                + part.name() + " {");
                line("", "");
                line(indent + "    ", "private static final long serialVersionUID = 1;");
                String inner = path + "." + part.name();
                members(part, inner, indent + "    ");
                constructor(part, indent + "    ");
                accessors(part, indent + "    ");
                parts(part, inner, indent + "    ");
                line(indent, "}");
            }
        }
    }

    /**
     * Writes the constants of members: the offset if a getter reads it directly, and what reads and writes the value.
     */
    private void members(SourceType type, String path, String indent) {
        List<String> constants = constants(type);
        line("", "");
        for (int i = 0; i < constants.size(); i++) {
            SourceMember member = type.members().get(i);
            String constant = constants.get(i);
            Field field = direct(type, member, constant) == null ? null : field(member);
            if (field != null) {
                line(indent, "private static final int " + constant + "_OFFSET = " + field.offset() + ";");
            }
            line(
                    indent,
                    "private static final RecordMember<" + SourceModel.boxed(member.type()) + "> " + constant
                            + " = member(VIEWS, " + path + ".class, \""
                            + member.member().name() + "\");");
        }
    }

    /** Returns the names of the members' constants, which differ. */
    private static List<String> constants(SourceType type) {
        Set<String> used = new HashSet<>(Set.of("VIEWS", "SCHEMA", "_"));
        return type.members().stream()
                .map(member -> {
                    String constant = member.member()
                            .name()
                            .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                            .toUpperCase(Locale.ROOT);
                    while (used.contains(constant) || used.contains(constant + "_OFFSET")) {
                        constant += "_";
                    }
                    used.add(constant);
                    used.add(constant + "_OFFSET");
                    return constant;
                })
                .toList();
    }

    private static @Nullable Field field(SourceMember member) {
        return member.member() instanceof ValueMember value
                ? value.codec().get().field()
                : null;
    }

    /** Returns the expression of a getter that reads a word, or null. */
    private static @Nullable String direct(SourceType type, SourceMember member, String constant) {
        Field field = field(member);
        return field == null || type.shape().scope.compact != null ? null : DirectRead.of(field, constant + "_OFFSET");
    }

    private void constructor(SourceType type, String indent) {
        line("", "");
        line(indent, "private " + className(type) + "(RecordForm form, byte[] bytes, int at, Object state) {");
        line(indent, "    super(form, bytes, at, state);");
        line(indent, "}");
    }

    private void methods(SourceType type) {
        constructor(type, "    ");
        line("", "");
        lines("    ", """
                /**
                 * Returns the record of these bytes. It is immutable.
                 *
                 * @param record bytes of the record; stored without a copy, so they must not be changed afterwards
                 */
                public static %2$s of(byte[] record) {
                    return (%2$s) VIEWS.of(record);
                }

                /** Creates a mutable record: optional values are absent, other values are zero or empty. */
                public static %2$s create() {
                    return (%2$s) VIEWS.create();
                }

                /** Creates a mutable copy. */
                public static %2$s edit(%1$s record) {
                    return (%2$s) VIEWS.edit(record);
                }

                /** Returns the bytes of the record, as a new array. */
                public byte[] bytes() {
                    return VIEWS.bytes(this);
                }
                """.formatted(type.name(), className(type)));
    }

    private void accessors(SourceType type, String indent) {
        List<String> constants = constants(type);
        for (int i = 0; i < constants.size(); i++) {
            SourceMember member = type.members().get(i);
            String constant = constants.get(i);
            String direct = direct(type, member, constant);
            line("", "");
            line(indent, "@Override");
            line(indent, "public " + member.type() + " " + member.getter() + "() {");
            line(indent, "    return " + (direct == null ? read(member.type(), constant) : direct) + ";");
            line(indent, "}");
            line("", "");
            line(indent, "@Override");
            line(indent, "public void set" + member.property() + "(" + member.type() + " value) {");
            line(indent, "    " + constant + ".set(this, value);");
            line(indent, "}");
        }
    }

    private static String read(String type, String constant) {
        return switch (type) {
            case "boolean" -> constant + ".truth(this)";
            case "double" -> constant + ".real(this)";
            case "int" -> "(int) " + constant + ".number(this)";
            case "long" -> constant + ".number(this)";
            default -> constant + ".get(this)";
        };
    }
}
