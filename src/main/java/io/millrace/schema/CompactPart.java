package io.millrace.schema;

/**
 * A part of a compact record with members of its own, which may repeat. A part that repeats is missing if it has no
 * element.
 *
 * @param path full path; ends with {@code []} if the part repeats
 * @param optional whether the part can be missing
 * @param maxElements maximum number of elements; 0 if the part does not repeat
 * @param bare whether each element is a single value instead of a group
 * @param group members; of a bare element the value alone
 */
public record CompactPart(String path, boolean optional, int maxElements, boolean bare, CompactGroup group)
        implements CompactMember {

    /** Maximum number of elements of one part. */
    public static final int MAX_ELEMENTS = 0xFFFF;

    /** Follows the name of a part that repeats. */
    public static final String ELEMENTS = "[]";

    /** Ends the names of row fields that say whether a part is there; expressions can't contain it. */
    private static final String PRESENT = "?";

    /** Returns whether the part has any number of elements. */
    public boolean repeats() {
        return maxElements > 0;
    }

    /**
     * Returns the name of the row field that is true if the part is there. No expression can contain it.
     *
     * @throws IllegalStateException if the part repeats or is always there
     */
    public String presence() {
        if (repeats() || !optional) {
            throw new IllegalStateException(path + " needs no field for its presence");
        }
        return presence(path);
    }

    /** Returns the name of the row field that would be true if the part of a path is there. */
    public static String presence(String path) {
        return path + PRESENT;
    }

    /** Returns whether a name is that of a row field that says whether a part is there. */
    public static boolean isPresence(String name) {
        return name.endsWith(PRESENT);
    }

    /**
     * Describes what a fingerprint covers. The text must not change, because fingerprints of stored records depend on
     * it.
     */
    @Override
    public String toString() {
        return path + (optional ? "?" : "") + (bare ? "=" : "") + group;
    }
}
