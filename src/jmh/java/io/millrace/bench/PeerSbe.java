package io.millrace.bench;

import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import io.millrace.schema.FieldType;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The length of a message in SBE, by the rules of its specification: a header of 8 bytes; a block of fixed fields, in
 * which missing ones have their null value, with the fields of groups that don't repeat; a header of 4 bytes per
 * repeating group; texts of up to 4 bytes in the block, others as data with a length of 2 bytes. Nothing is encoded;
 * {@link SbeOrders} encodes the orders, which have the length that this class returns. Stateless.
 */
final class PeerSbe {

    private static final int MESSAGE_HEADER = 8;
    private static final int GROUP_HEADER = 4;
    private static final int DATA_HEADER = 2;
    private static final int MAX_FIXED_TEXT = 4;

    private PeerSbe() {}

    static int length(CompactGroup root, JsonNode message) {
        return MESSAGE_HEADER + group(root, message);
    }

    private static int group(CompactGroup group, @Nullable JsonNode object) {
        int length = 0;
        for (CompactMember member : group.members()) {
            JsonNode node = object == null ? null : PeerMessage.get(object, member);
            length += switch (member) {
                case CompactPart part when part.repeats() -> GROUP_HEADER + elements(part, node);
                case CompactPart part -> group(part.group(), node);
                case CompactValue value -> value(value, node);
            };
        }
        return length;
    }

    private static int elements(CompactPart part, @Nullable JsonNode nodes) {
        int length = 0;
        for (int i = 0; nodes != null && i < nodes.size(); i++) {
            length += part.bare()
                    ? value((CompactValue) part.group().members().getFirst(), nodes.get(i))
                    : group(part.group(), nodes.get(i));
        }
        return length;
    }

    private static int value(CompactValue value, @Nullable JsonNode node) {
        return switch (PeerMessage.type(value)) {
            case FieldType.StringType type when type.bytes() <= MAX_FIXED_TEXT -> type.bytes();
            case FieldType.StringType _ ->
                DATA_HEADER + (node == null ? 0 : node.asString().getBytes(StandardCharsets.UTF_8).length);
            case FieldType.EnumType _ -> 1;
            default -> PeerMessage.type(value).bytes();
        };
    }
}
