package io.millrace.bench;

import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactValue;
import io.millrace.schema.FieldType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What the encoders of other formats need from a member of a message: its name, and its value as a number. Stateless.
 */
final class PeerMessage {

    private PeerMessage() {}

    /** Returns the name of a member in its object. */
    static String name(CompactMember member) {
        String path = member.path().replace("[]", "");
        return path.substring(path.lastIndexOf('.') + 1);
    }

    static FieldType type(CompactValue value) {
        return value.field().type();
    }

    /** Returns the stored number of a value whose type is numbered. */
    static long number(CompactValue value, JsonNode node) {
        return switch (type(value)) {
            case FieldType.DecimalType type ->
                new BigDecimal(node.asString())
                        .setScale(type.scale())
                        .unscaledValue()
                        .longValueExact();
            case FieldType.DateType _ -> LocalDate.parse(node.asString()).toEpochDay();
            case FieldType.InstantType _ -> Instant.parse(node.asString()).toEpochMilli();
            case FieldType.EnumType type -> type.dictionary().code(node.asString());
            case FieldType.BooleanType _ -> node.booleanValue() ? 1 : 0;
            default -> node.longValue();
        };
    }

    /** Returns the member's value, or null if it is missing. */
    static @Nullable JsonNode get(JsonNode object, CompactMember member) {
        return object.get(name(member));
    }
}
