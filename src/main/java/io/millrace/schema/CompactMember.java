package io.millrace.schema;

import java.io.Serializable;

/** A member of a {@link CompactGroup}: a value, or a group of further members. Immutable. */
public sealed interface CompactMember extends Serializable permits CompactValue, CompactPart {

    /**
     * Returns the full path, such as {@code legs[].rate}. {@code []} follows the name of each part that repeats; the
     * path of such a part itself ends with it.
     */
    String path();

    /** Returns whether the member can be missing, so that the group's bits say whether it is there. */
    boolean optional();
}
