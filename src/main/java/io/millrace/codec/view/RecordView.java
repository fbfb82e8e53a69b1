package io.millrace.codec.view;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A record as an object: the bytes of a row, and the getters that {@link RecordViews} generates. Two views are equal if
 * they implement the same interface and their rows have the same bytes. Immutable.
 */
public abstract class RecordView {

    /** The bytes that the getters read; must not be changed. */
    protected final byte[] row;

    private final RecordViews<?> views;

    /** @param views the views that created this one */
    protected RecordView(RecordViews<?> views, byte[] row) {
        this.views = views;
        this.row = row;
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof RecordView that && getClass() == that.getClass() && Arrays.equals(row, that.row);
    }

    @Override
    public final int hashCode() {
        return Arrays.hashCode(row);
    }

    /** Returns the interface name and all values by name, in the form of a Java record. */
    @Override
    public final String toString() {
        return views.toString(row);
    }
}
