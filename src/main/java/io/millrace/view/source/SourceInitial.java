package io.millrace.view.source;

import io.millrace.codec.shape.Shape;
import io.millrace.codec.shape.Shape.GroupMember;
import io.millrace.codec.shape.Shape.ListMember;
import io.millrace.codec.shape.Shape.ValueMember;
import io.millrace.view.source.SourceType.SourceEnum;
import io.millrace.view.source.SourceType.SourceMember;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the values that members of a new record have, as Java source. Stateless. */
final class SourceInitial {

    private static final Set<String> ZEROS = Set.of("0", "0L", "0.0", "false");

    private SourceInitial() {}

    /** Returns the initializer of the field of a member, or an empty text. */
    static String initializer(SourceType type, SourceMember member) {
        String initial = switch (type.shape().members().get(member.name())) {
            case ValueMember value -> literal(value, type.shape(), member.type(), member.constants());
            case GroupMember group -> group.presence() == null ? created(member) : "null";
            case ListMember list
            when list.inRow() && !contains(member.part(), type, new HashSet<>()) ->
                type.classicHelper("list") + "(" + list.count() + ", _ -> " + element(list, member) + ")";
            case ListMember _ -> "new ArrayList<>()";
            case null -> member.type().startsWith("List<") ? "new ArrayList<>()" : "null";
        };
        boolean blank = initial.equals("null") || (isPrimitive(member.type()) && ZEROS.contains(initial));
        return blank ? "" : " = " + initial;
    }

    private static boolean isPrimitive(String type) {
        return !SourceModel.boxed(type).equals(type);
    }

    private static String created(SourceMember member) {
        return "new " + Objects.requireNonNull(member.part()).classicName() + "()";
    }

    private static String element(ListMember list, SourceMember member) {
        if (member.part() != null) {
            return created(member);
        }
        String type = member.type().substring("List<".length(), member.type().length() - 1);
        return literal(list.bareValue(), list.shape(), type, member.constants());
    }

    /** Returns whether a part contains a type: it would have no end if all its lists had elements. */
    private static boolean contains(@Nullable SourceType part, SourceType type, Set<SourceType> visited) {
        return part != null
                && (part == type
                        || (visited.add(part)
                                && part.members().stream().anyMatch(each -> contains(each.part(), type, visited))));
    }

    private static String literal(ValueMember member, Shape shape, String type, @Nullable SourceEnum constants) {
        Object value;
        try {
            value = member.codec().get().value(shape.scope().blank(), 0);
        } catch (RuntimeException _) {
            // Zero is not a valid value of the field: the getter of a new record throws.
            return "null";
        }
        return switch (value) {
            case String text when constants != null -> constants.name() + "." + SourceModel.constant(text);
            case String text -> TextBlocks.quoted(text);
            case BigDecimal decimal -> "BigDecimal.valueOf(" + decimal.unscaledValue() + "L, " + decimal.scale() + ")";
            case Number number -> number(number, type);
            case LocalDate day -> "LocalDate.parse(\"" + day + "\")";
            case Instant time -> "Instant.parse(\"" + time + "\")";
            case byte[] bytes -> "new byte[" + bytes.length + "]";
            case null, default -> String.valueOf(value);
        };
    }

    private static String number(Number value, String type) {
        return switch (SourceModel.boxed(type)) {
            case "Integer" -> String.valueOf(value.intValue());
            case "Double" -> String.valueOf(value.doubleValue());
            default -> value.longValue() + "L";
        };
    }
}
