package io.millrace.schema;

import java.io.Serializable;
import java.util.List;

/**
 * The members of a compact record, or of a part of one, in the order of the bytes. Immutable.
 *
 * @param members members; only optional ones can be appended without making existing records invalid
 */
public record CompactGroup(List<CompactMember> members) implements Serializable {

    public CompactGroup {
        members = List.copyOf(members);
    }

    /**
     * Describes what a fingerprint covers: the members up to the last required one. Optional members behind it can be
     * appended without making stored bytes unreadable, so they must not change the fingerprint.
     */
    @Override
    public String toString() {
        int end = members.size();
        while (end > 0 && members.get(end - 1).optional()) {
            end--;
        }
        return members.subList(0, end).toString();
    }
}
