package io.millrace.codec.compact;

import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import io.millrace.schema.FieldType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How to find the members of a group. Immutable.
 *
 * @param steps members in the order of the bytes
 */
public record MemberSteps(List<Step> steps) {

    /** Entry of an index for a boolean that is false. */
    public static final int FALSE = 1;

    /** Entry of an index for a boolean that is true. */
    public static final int TRUE = 2;

    /**
     * What to do with a member.
     *
     * @param slot entry of the index
     * @param path full path
     * @param presenceBit bit that is set if the member is there, or -1 if it always is
     * @param valueBit bit that is the value of a boolean, or -1
     * @param number whether the value is a single varint
     * @param value reader of a value, or null for a part
     * @param inner members of a group that does not repeat, or null
     */
    public record Step(
            int slot,
            String path,
            int presenceBit,
            int valueBit,
            boolean number,
            @Nullable CompactValueReader value,
            @Nullable MemberSteps inner) {

        /** Returns the offset past the member, which must not exceed an offset. */
        public int end(byte[] bytes, int at, int end) {
            if (number) {
                return CompactWalk.varintEnd(bytes, at, end, path);
            }
            return value != null ? value.end(bytes, at, end) : CompactWalk.partEnd(bytes, at, end, path);
        }
    }

    /**
     * Returns the steps of a group.
     *
     * @param byPath receives the entry of each member
     */
    static MemberSteps of(CompactGroup group, Map<String, Integer> byPath) {
        List<Step> steps = new ArrayList<>();
        int bits = 0;
        for (CompactMember member : group.members()) {
            int slot = byPath.size();
            byPath.put(member.path(), slot);
            int presence = member.optional() ? bits++ : -1;
            steps.add(
                    switch (member) {
                        case CompactValue value ->
                            new Step(
                                    slot,
                                    value.path(),
                                    presence,
                                    value.isBit() ? bits++ : -1,
                                    value.field().type() instanceof FieldType.Numbered,
                                    CompactValueReader.of(value),
                                    null);
                        case CompactPart part ->
                            new Step(
                                    slot,
                                    part.path(),
                                    presence,
                                    -1,
                                    false,
                                    null,
                                    part.repeats() ? null : of(part.group(), byPath));
                    });
        }
        return new MemberSteps(List.copyOf(steps));
    }
}
