package io.millrace.view.source;

import io.millrace.codec.shape.Shape;
import io.millrace.codec.shape.Shape.GroupMember;
import io.millrace.codec.shape.Shape.ListMember;
import io.millrace.codec.shape.Shape.ValueMember;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.BinaryRecord;
import io.millrace.view.RecordForm;
import io.millrace.view.RecordMember;
import io.millrace.view.RecordViews;
import io.millrace.view.source.SourceType.SourceMember;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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

    /** Returns the simple name of the class that implements the interface of a record. */
    static String className(SourceType type) {
        return SourceModel.CLASS_PREFIX + type.name();
    }

    /**
     * A class and those nested in it.
     *
     * @param name simple name of the class
     * @param type interface that it implements
     * @param shape members that its part of the record has
     */
    private record ClassPart(String name, SourceType type, Shape shape, List<ClassPart> parts) {

        /** @param enclosing names of the classes that contain this one */
        static ClassPart of(String name, SourceType type, Shape shape, Set<String> enclosing) {
            Set<String> used = new HashSet<>(enclosing);
            used.add(name);
            Set<String> around = Set.copyOf(used);
            List<ClassPart> parts = new ArrayList<>();
            for (SourceMember member : type.members()) {
                Shape inner = inner(shape.members().get(member.name()));
                if (member.part() != null && inner != null) {
                    String plain = member.declared() ? member.part().name() : SourceModel.singular(member.property());
                    String part = SourceModel.CLASS_PREFIX + plain;
                    while (!used.add(part)) {
                        part += "Part";
                    }
                    parts.add(of(part, member.part(), inner, around));
                }
            }
            return new ClassPart(name, type, shape, parts);
        }

        private static @Nullable Shape inner(Shape.@Nullable Member member) {
            return switch (member) {
                case GroupMember group -> group.shape();
                case ListMember list -> list.shape();
                case ValueMember _ -> null;
                case null -> null;
            };
        }
    }

    private void line(String indent, String text) {
        body.append(text.isEmpty() ? "" : indent).append(text).append('\n');
    }

    private void lines(String indent, String text) {
        text.lines().forEach(each -> line(indent, each));
    }

    private void writeRecord(String yaml) {
        SourceType type = model.root();
        ClassPart record = ClassPart.of(className(type), type, model.shape(), Set.of());
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
        implementations(record, "", "");
        line("            ", ".build();");
        members(record, "    ");
        methods(record);
        accessors(record, "    ");
        parts(record, "    ");
        line("", "}");
    }

    /**
     * @param prefix precedes the name of the class, from within that of the record
     * @param inner precedes the names of the classes of parts
     */
    private void implementations(ClassPart part, String prefix, String inner) {
        line(
                "            ",
                ".implementation(" + part.type().path() + ".class, \""
                        + part.shape().path() + "\", " + prefix + part.name() + "::new)");
        part.parts().forEach(each -> implementations(each, inner, inner + each.name() + "."));
    }

    private void parts(ClassPart within, String indent) {
        for (ClassPart part : within.parts()) {
            line("", "");
            line(indent, "/** The part {@code " + part.shape().path() + "}. */");
            line(
                    indent,
                    "public static final class " + part.name() + " extends BinaryRecord implements "
                            + part.type().name() + " {");
            line("", "");
            line(indent + "    ", "private static final long serialVersionUID = 1;");
            members(part, indent + "    ");
            constructor(part, indent + "    ");
            accessors(part, indent + "    ");
            parts(part, indent + "    ");
            line(indent, "}");
        }
    }

    /**
     * Writes the constants of members: the offset if a getter reads it directly, and what reads and writes the value.
     */
    private void members(ClassPart part, String indent) {
        List<String> constants = constants(part.type());
        line("", "");
        for (int i = 0; i < constants.size(); i++) {
            SourceMember member = part.type().members().get(i);
            String constant = constants.get(i);
            Field field = direct(part, member, constant) == null ? null : field(part, member);
            if (field != null) {
                line(indent, "private static final int " + constant + "_OFFSET = " + field.offset() + ";");
            }
            line(
                    indent,
                    "private static final RecordMember<" + SourceModel.boxed(member.type()) + "> " + constant
                            + " = member(VIEWS, " + part.type().path() + ".class, \""
                            + part.shape().path() + "\", \""
                            + member.name() + "\");");
        }
    }

    /** Returns the names of the members' constants, which differ. */
    private static List<String> constants(SourceType type) {
        Set<String> used = new HashSet<>(Set.of("VIEWS", "SCHEMA", "_"));
        return type.members().stream()
                .map(member -> {
                    String constant = member.name()
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

    private static @Nullable Field field(ClassPart part, SourceMember member) {
        return part.shape().members().get(member.name()) instanceof ValueMember value
                ? value.codec().get().field()
                : null;
    }

    /** Returns the expression of a getter that reads a word, or null. */
    private static @Nullable String direct(ClassPart part, SourceMember member, String constant) {
        Field field = field(part, member);
        return field == null || part.shape().scope().compact() != null
                ? null
                : DirectRead.of(field, constant + "_OFFSET");
    }

    private void constructor(ClassPart part, String indent) {
        line("", "");
        line(indent, "private " + part.name() + "(RecordForm form, byte[] bytes, int at, Object state) {");
        line(indent, "    super(form, bytes, at, state);");
        line(indent, "}");
    }

    private void methods(ClassPart record) {
        constructor(record, "    ");
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
                """.formatted(record.type().name(), record.name()));
    }

    private void accessors(ClassPart part, String indent) {
        List<String> constants = constants(part.type());
        for (int i = 0; i < constants.size(); i++) {
            SourceMember member = part.type().members().get(i);
            String constant = constants.get(i);
            String direct = direct(part, member, constant);
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
