package io.millrace.feed;

import org.apiguardian.api.API;

/**
 * A part of the source of a feed that one partition of a pipeline reads, in its own order. All splits together have
 * each record once.
 *
 * @param index number of the split, from 0
 * @param count number of splits of the source
 */
@API(status = API.Status.STABLE)
public record Split(int index, int count) {

    /** The only split of a source. */
    public static final Split WHOLE = new Split(0, 1);

    private static final String MARK = " splits=";

    public Split {
        if (index < 0 || index >= count) {
            throw new IllegalArgumentException("Invalid split " + index + " of " + count + ".");
        }
    }

    /** Returns the identity of the source with the number of splits in which it is read. */
    @API(status = API.Status.INTERNAL)
    public String mark(String identity) {
        return count == 1 ? identity : identity + MARK + count;
    }

    /** Returns the identity that {@link #mark} has received. */
    @API(status = API.Status.INTERNAL)
    public static String unmarked(String identity) {
        int mark = identity.lastIndexOf(MARK);
        return mark < 0 ? identity : identity.substring(0, mark);
    }

    /** Returns the number of splits of a source by its marked identity. */
    @API(status = API.Status.INTERNAL)
    public static int count(String identity) {
        int mark = identity.lastIndexOf(MARK);
        return mark < 0 ? 1 : Integer.parseInt(identity.substring(mark + MARK.length()));
    }
}
