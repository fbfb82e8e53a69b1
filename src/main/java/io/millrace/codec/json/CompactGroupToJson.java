package io.millrace.codec.json;

import io.millrace.codec.compact.Varint;
import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import java.nio.charset.StandardCharsets;

/** Writes a group of a compact record, whose bytes are valid, as a JSON object. Not thread-safe. */
final class CompactGroupToJson {

    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
    private static final int NONE = -1;

    /**
     * A member of the group.
     *
     * @param key name with a comma before and a colon after it
     * @param presence index of the bit that says whether the member is there, or -1
     * @param truth index of the bit that is the member's value, or -1
     * @param value writer of the bytes of the value, of which a member with {@code truth} has none
     */
    private record Member(byte[] key, int presence, int truth, CompactValueToJson value) {}

    private final Member[] members;

    CompactGroupToJson(CompactGroup group) {
        members = new Member[group.members().size()];
        int bits = 0;
        for (int i = 0; i < members.length; i++) {
            CompactMember member = group.members().get(i);
            int presence = member.optional() ? bits++ : NONE;
            int truth = member instanceof CompactValue value && value.isBit() ? bits++ : NONE;
            members[i] = new Member(RowToJson.key(member), presence, truth, writer(member));
        }
    }

    private static CompactValueToJson writer(CompactMember member) {
        return switch (member) {
            case CompactValue value -> CompactValueToJson.of(value);
            case CompactPart part
            when part.bare() ->
                list(CompactValueToJson.of((CompactValue) part.group().members().getFirst()));
            case CompactPart part when part.repeats() -> list(part(new CompactGroupToJson(part.group())));
            case CompactPart part -> part(new CompactGroupToJson(part.group()));
        };
    }

    private static CompactValueToJson part(CompactGroupToJson group) {
        return (json, record, at) -> {
            int from = at + Varint.length(record[at]);
            group.write(json, record, from);
            // Members that a newer schema appended lie between the known ones and the end.
            return from + (int) Varint.get(record, at);
        };
    }

    private static CompactValueToJson list(CompactValueToJson element) {
        return (json, record, at) -> {
            int from = at + Varint.length(record[at]);
            long count = Varint.get(record, from);
            int next = from + Varint.length(record[from]);
            json.put('[');
            for (long i = 0; i < count; i++) {
                if (i > 0) {
                    json.put(',');
                }
                next = element.write(json, record, next);
            }
            json.put(']');
            return from + (int) Varint.get(record, at);
        };
    }

    /** Appends the object of a group that begins at an offset. */
    void write(JsonBuffer json, byte[] record, int at) {
        int next = at + 1;
        while (record[next - 1] < 0) {
            next++;
        }
        int bitBytes = next - at;
        json.put('{');
        for (Member member : members) {
            if (member.presence >= 0 && !bit(record, at, bitBytes, member.presence)) {
                continue;
            }
            json.name(member.key);
            if (member.truth >= 0) {
                json.put(bit(record, at, bitBytes, member.truth) ? TRUE : FALSE);
            } else {
                next = member.value.write(json, record, next);
            }
        }
        json.put('}');
    }

    private static boolean bit(byte[] record, int at, int bitBytes, int index) {
        int in = index / 7;
        return in < bitBytes && ((record[at + in] >> (index % 7)) & 1) != 0;
    }
}
