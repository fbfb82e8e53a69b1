package io.millrace.codec.json;

import static io.millrace.codec.compact.FinderSteps.UNEXPECTED;

import io.millrace.codec.compact.FinderSteps;
import io.millrace.codec.compact.Varint;
import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import org.jspecify.annotations.Nullable;

/** Checks a group of a compact record and writes it as a JSON object, in one pass. Not thread-safe. */
final class CompactGroupToJson {

    private static final int BITS_OF_BYTE = 7;

    /**
     * A member of the group.
     *
     * @param presence bit that says whether the member is there, or null if it always is
     * @param absent what is written if it is not there
     */
    private record Member(@Nullable Bit presence, Content content, JsonConstant absent) {}

    /** What a member has in the object: its name and its value. */
    private sealed interface Content {

        /**
         * A boolean.
         *
         * @param bit its value
         */
        record Truth(Bit bit, JsonConstant yes, JsonConstant no) implements Content {}

        /** A value or part that has bytes. */
        record Value(JsonConstant name, CompactValueToJson writer) implements Content {}
    }

    /** A bit of the group; the last bytes, if all their bits are 0, may be missing. */
    private record Bit(int inByte, int mask) {

        static Bit of(int index) {
            return new Bit(index / BITS_OF_BYTE, 1 << index % BITS_OF_BYTE);
        }

        boolean isSet(byte[] record, int at, int bitBytes) {
            return inByte < bitBytes && (record[at + inByte] & mask) != 0;
        }
    }

    private final Member[] members;
    private final int bits;

    CompactGroupToJson(CompactGroup group, JsonForm form) {
        members = new Member[group.members().size()];
        int count = 0;
        for (int i = 0; i < members.length; i++) {
            CompactMember member = group.members().get(i);
            Bit presence = member.optional() ? Bit.of(count++) : null;
            JsonConstant name = RowToJson.name(member);
            Content content = member instanceof CompactValue value && value.isBit()
                    ? new Content.Truth(
                            Bit.of(count++), name.followedBy(JsonConstant.TRUE), name.followedBy(JsonConstant.FALSE))
                    : new Content.Value(name, writer(member, form));
            members[i] = new Member(presence, content, absent(member, name));
        }
        bits = count;
    }

    private static JsonConstant absent(CompactMember member, JsonConstant name) {
        boolean list = member instanceof CompactPart part && part.repeats();
        return name.followedBy(list ? JsonConstant.EMPTY_ARRAY : JsonConstant.NULL);
    }

    private static CompactValueToJson writer(CompactMember member, JsonForm form) {
        return switch (member) {
            case CompactValue value -> CompactValueToJson.of(value, form);
            case CompactPart part when part.repeats() -> list(element(part, form), part.maxElements());
            case CompactPart part -> part(new CompactGroupToJson(part.group(), form));
        };
    }

    private static CompactValueToJson element(CompactPart list, JsonForm form) {
        return list.bare()
                ? CompactValueToJson.of((CompactValue) list.group().members().getFirst(), form)
                : part(new CompactGroupToJson(list.group(), form));
    }

    private static CompactValueToJson part(CompactGroupToJson group) {
        return (json, record, at, end) -> {
            int from = FinderSteps.varintEnd(record, at, end);
            int limit = from < 0 ? UNEXPECTED : FinderSteps.partEnd(record, at, from, end);
            return limit < 0 || !group.write(json, record, from, limit) ? UNEXPECTED : limit;
        };
    }

    private static CompactValueToJson list(CompactValueToJson element, int maxElements) {
        return (json, record, at, end) -> {
            int from = FinderSteps.varintEnd(record, at, end);
            int limit = from < 0 ? UNEXPECTED : FinderSteps.partEnd(record, at, from, end);
            int next = limit < 0 ? UNEXPECTED : FinderSteps.varintEnd(record, from, limit);
            if (next < 0) {
                return UNEXPECTED;
            }
            long count = Varint.get(record, from);
            if (count < 0 || count > maxElements) {
                return UNEXPECTED;
            }
            int start = json.begin();
            for (long i = 0; i < count; i++) {
                json.put(',');
                next = element.write(json, record, next, limit);
                if (next < 0) {
                    return UNEXPECTED;
                }
            }
            json.endArray(start);
            return next == limit ? limit : UNEXPECTED;
        };
    }

    /**
     * Appends the object of a group.
     *
     * @param end offset past the group
     * @return false if the group is malformed. The object is then incomplete
     */
    boolean write(JsonBuffer json, byte[] record, int at, int end) {
        int next = at;
        do {
            if (next >= end) {
                return false;
            }
        } while (record[next++] < 0);
        int bitBytes = next - at;
        int start = json.begin();
        for (Member member : members) {
            if (member.presence != null && !member.presence.isSet(record, at, bitBytes)) {
                json.put(member.absent);
                continue;
            }
            if (member.content instanceof Content.Truth truth) {
                json.put(truth.bit.isSet(record, at, bitBytes) ? truth.yes : truth.no);
            } else if (member.content instanceof Content.Value value) {
                json.put(value.name);
                next = value.writer.write(json, record, next, end);
                if (next < 0) {
                    return false;
                }
            }
        }
        json.endObject(start);
        return next == end || hasUnknownMembers(record, at, bitBytes);
    }

    /** Returns whether a newer schema wrote the group: its members lie between the known ones and the end. */
    private boolean hasUnknownMembers(byte[] record, int at, int bitBytes) {
        for (int i = bits; i < BITS_OF_BYTE * bitBytes; i++) {
            if (Bit.of(i).isSet(record, at, bitBytes)) {
                return true;
            }
        }
        return false;
    }
}
