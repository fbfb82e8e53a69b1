package io.millrace.codec.compact;

import io.millrace.codec.compact.GroupPlan.MemberPlan.Kind;
import io.millrace.schema.Dictionary;
import io.millrace.schema.IntStorage;
import java.nio.charset.Charset;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /**
     * What to do with a member of a compact record. Immutable.
     *
     * @param kind form of the bytes
     * @param path full path, for messages
     * @param presenceBit index of the group's bit that says whether the member is there, or -1 if it always is
     * @param valueBit index of the group's bit that is the value of a boolean, or -1
     * @param rowAt offset of the value in its row, or -1 if it is not in the row. Of a group: of its presence
     * @param flagAt offset of the null flag in the row, or -1
     * @param width width in the row in bytes
     * @param storage storage of a number in the row
     * @param names names of an enumeration or a boolean
     * @param charset character set of a text
     * @param frequent texts that are stored as a number
     * @param inner members of a group or of the elements of a list
     * @param list index of the elements' rows among those of the record, or -1 if they are not wanted
     * @param maxElements maximum number of elements of a list
     */
    record MemberPlan(
            Kind kind,
            String path,
            int presenceBit,
            int valueBit,
            int rowAt,
            int flagAt,
            int width,
            @Nullable IntStorage storage,
            @Nullable Dictionary names,
            @Nullable Charset charset,
            List<byte[]> frequent,
            @Nullable GroupPlan inner,
            int list,
            int maxElements) {

        /** The forms of a member's bytes. */
        enum Kind {
            UNSIGNED,
            SIGNED,
            DECIMAL,
            DATE,
            CODE,
            REAL,
            TEXT,
            RAW,
            BIT,
            GROUP,
            LIST
        }

        /** Returns whether the member, or a part of it, is in a row. */
        boolean wanted() {
            return rowAt >= 0 || (kind == Kind.GROUP && inner != null && inner.wanted()) || list >= 0;
        }

        /** Returns the number of bytes in the row that the member always writes if it is there. */
        int filledBytes() {
            if (rowAt < 0 || kind == Kind.TEXT || (storage != null && !storage.wholeWord())) {
                return 0;
            }
            return width;
        }
    }
}
