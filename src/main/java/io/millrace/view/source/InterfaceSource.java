package io.millrace.view.source;

import io.millrace.view.source.SourceType.SourceEnum;
import io.millrace.view.source.SourceType.SourceMember;
import java.util.List;

/**
 * Writes the Java source of an interface with a getter and a setter for each member of a schema. Groups and enums are
 * nested types. An optional value has a boxed type, which is null if the value is absent. Not thread-safe.
 */
final class InterfaceSource {

    private final StringBuilder body = new StringBuilder();

    private InterfaceSource() {}

    /**
     * Returns the source of the compilation unit. The same schema always has the same source.
     *
     * @param packageName package of the interface; empty for the unnamed one
     */
    static String of(SourceModel model, String packageName) {
        InterfaceSource source = new InterfaceSource();
        source.write(model.root(), model.types(), "");
        return model.unit(packageName, model.imports(), source.body);
    }

    /** @param nested interfaces that are nested in this one in addition to those of its members */
    private void write(SourceType type, List<SourceType> nested, String indent) {
        body.append(indent).append("/** ").append(type.comment()).append(" */\n");
        body.append(indent).append("public interface ").append(type.name());
        if (!type.superinterfaces().isEmpty()) {
            body.append(" extends ").append(String.join(", ", type.superinterfaces()));
        }
        body.append(" {\n");
        for (SourceMember member : type.members()) {
            write(member, indent + "    ");
        }
        for (SourceType each : nested) {
            body.append('\n');
            write(each, List.of(), indent + "    ");
        }
        body.append(indent).append("}\n");
    }

    private void write(SourceMember member, String indent) {
        if (member.part() != null && member.declared()) {
            body.append('\n');
            write(member.part(), List.of(), indent);
        }
        if (member.constants() != null) {
            write(member.constants(), indent);
        }
        body.append('\n')
                .append(indent)
                .append("/** Returns ")
                .append(member.comment())
                .append(". */\n");
        body.append(indent)
                .append(member.type())
                .append(' ')
                .append(member.getter())
                .append("();\n");
        body.append('\n')
                .append(indent)
                .append("/** Sets ")
                .append(member.comment())
                .append(". */\n");
        body.append(indent).append("void set").append(member.property());
        body.append('(').append(member.type()).append(" value);\n");
    }

    private void write(SourceEnum constants, String indent) {
        body.append('\n')
                .append(indent)
                .append("enum ")
                .append(constants.name())
                .append(" {\n");
        body.append(indent).append("    ").append(String.join(",\n" + indent + "    ", constants.constants()));
        body.append('\n').append(indent).append("}\n");
    }
}
