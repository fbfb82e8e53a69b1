package io.millrace.view.access;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What all views of a class have in common, such as their equality. Receives the view itself. Thread-safe. */
public interface BinaryForm {

    /** Implements {@link Object#equals} for views. */
    boolean equal(BinaryView view, @Nullable Object other);

    /** Implements {@link Object#hashCode} for views. */
    int hash(BinaryView view);

    /** Implements {@link Object#toString} for views: the name of the type and all values that it has getters for. */
    String text(BinaryView view);

    /** Implements {@code compareTo} for views with a key. */
    int compare(BinaryView view, Object other);

    /** Returns the values that the schema does not allow. */
    List<?> validate(BinaryView view);

    /** Returns whether the schema allows all values. */
    boolean isValid(BinaryView view);

    /** Returns the bytes of the record, which must not be changed. */
    byte[] content(BinaryView view);

    /** Returns a copy of the record's bytes. */
    byte[] copy(BinaryView view);

    /** Implements {@code clone} for views: a copy that shares nothing that can change. */
    Object cloned(BinaryView view);

    /** Returns the serialized form. */
    Object serialized(BinaryView view);

    /** Returns the error of setters of immutable views. */
    UnsupportedOperationException immutable();
}
