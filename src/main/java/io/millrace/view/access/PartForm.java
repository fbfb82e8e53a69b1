package io.millrace.view.access;

import io.millrace.codec.shape.RowNode;
import org.jspecify.annotations.Nullable;

/** How the objects of a part of a record are created from its bytes, and written to them. Thread-safe. */
public interface PartForm {

    /** Returns a view, or the record of a class of Java records. */
    Object view(byte[] bytes, int at, @Nullable Object state);

    /** Returns the view that creates the others, or null if these have several classes, or are not views. */
    @Nullable
    BinaryView prototype();

    boolean mutable();

    /**
     * Writes the values of any object of the type to a row. If one is refused, those before are written.
     *
     * @throws IllegalArgumentException if it is of a subclass whose own members would be lost
     */
    void assign(Object value, byte[] bytes, int at, @Nullable RowNode node);

    /** Returns the row of a mutable view of this form, which can become an element without a copy, or null. */
    @Nullable
    RowNode row(BinaryView view);
}
