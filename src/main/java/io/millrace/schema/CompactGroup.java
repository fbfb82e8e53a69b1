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
     * Describes what a fingerprint covers. The text must not change, because fingerprints of stored records depend on
     * it.
     */
    @Override
    public String toString() {
        return members.toString();
    }
}
