package io.millrace.codec.compact;

import io.millrace.codec.compact.MemberPlan.Kind;
import java.util.List;

/**
 * What to do with the members of a group. Immutable.
 *
 * @param members members in the order of the bytes
 * @param bits number of bits that the group has, if all its members are known
 * @param wantedMembers number of leading members to go over; of those after them, only bits are wanted
 * @param bare whether an element is a single value, without bits and length
 * @param blank content of the row of an element before its members are read; empty for a group that has no row
 */
record GroupPlan(List<MemberPlan> members, int bits, int wantedMembers, boolean bare, byte[] blank) {

    /** Returns whether a member, or a part of it, is in a row. */
    boolean wanted() {
        return members.stream().anyMatch(MemberPlan::wanted);
    }

    /** Returns whether the members write all bytes of the row of an element, whatever the record contains. */
    boolean fillsRow() {
        return filledBytes() == blank.length;
    }

    private int filledBytes() {
        return members.stream()
                .filter(member -> member.presenceBit() < 0)
                .mapToInt(member -> {
                    GroupPlan inner = member.inner();
                    return member.kind() == Kind.GROUP && inner != null ? inner.filledBytes() : member.filledBytes();
                })
                .sum();
    }
}
