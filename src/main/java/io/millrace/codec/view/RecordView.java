package io.millrace.codec.view;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A record as an object: the bytes of a row, and getters that read them, which {@link RecordViews} generates. Views are
 * equal where they are of one interface and their rows have the same bytes. Immutable.
 */
public abstract class RecordView {

    /** What the getters read; not to be changed. */
    protected final byte[] row;

    private final RecordViews<?> views;

    /** @param views that it is one of */
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

    /** As of a Java record: all values by name. */
    @Override
    public final String toString() {
        return views.toString(row);
    }
}
