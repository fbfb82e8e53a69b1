package io.millrace.codec.view;

import org.jspecify.annotations.Nullable;

/**
 * What generated views implement, in addition to the type that they are views of. The names are unusual, so that no
 * method of an application has the same one.
 */
public interface BinaryView {

    /** Returns the array that the getters read. */
    byte[] millraceBytes();

    /** Returns where the record, or the part of it, begins in the array. */
    int millraceAt();

    /** Returns the index of a compact record, the rows of a mutable one, or null. */
    @Nullable
    Object millraceState();

    /** Stores the index of a compact record. */
    void millraceState(Object state);

    /** Returns how the fields are read. */
    ViewForm millraceForm();

    /** Returns another view of the same class. */
    BinaryView millraceNew(byte[] bytes, int at, @Nullable Object state);
}
