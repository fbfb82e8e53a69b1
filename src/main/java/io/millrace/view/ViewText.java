package io.millrace.view;

import io.millrace.codec.shape.Part;
import io.millrace.codec.shape.Shape;
import io.millrace.codec.shape.Shape.GroupMember;
import io.millrace.codec.shape.Shape.ListMember;
import io.millrace.codec.shape.Shape.Member;
import io.millrace.codec.shape.Shape.ValueMember;
import io.millrace.view.access.BinaryView;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Writes views as text, in the form of a Java record. Stateless. */
final class ViewText {

    private ViewText() {}

    static String of(BinaryView view) {
        ViewKind kind = ViewForm.of(view).kind();
        return text(kind.type().getSimpleName(), kind.shape(), kind.shown(), ViewForm.part(view));
    }

    /** @param shown members to show */
    private static String text(String name, Shape shape, Set<String> shown, Part part) {
        StringJoiner text = new StringJoiner(", ", name + "[", "]");
        for (Member member : shape.members().values()) {
            if (shown.contains(member.name())) {
                text.add(member.name() + "=" + text(member, part));
            }
        }
        return text.toString();
    }

    private static String text(Member member, Part part) {
        return switch (member) {
            case ValueMember value -> text(part.value(value));
            case GroupMember group ->
                part.has(group)
                        ? text("", group.shape(), group.shape().members().keySet(), part)
                        : "null";
            case ListMember list -> {
                StringJoiner text = new StringJoiner(", ", "[", "]");
                for (Part each : part.elements(list)) {
                    text.add(
                            list.bare()
                                    ? text(each.bare(list))
                                    : text(
                                            "",
                                            list.shape(),
                                            list.shape().members().keySet(),
                                            each));
                }
                yield text.toString();
            }
        };
    }

    private static String text(@Nullable Object value) {
        return switch (value) {
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            case BigDecimal decimal -> decimal.toPlainString();
            case null, default -> String.valueOf(value);
        };
    }
}
