package io.millrace.view.access;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What generated views implement, in addition to the type that they are views of. The names are unusual, so that no
 * method of an application has the same one.
 */
@API(status = API.Status.STABLE)
public interface BinaryView {

    /** Returns the array that the getters read. */
    @API(status = API.Status.INTERNAL)
    byte[] millraceBytes();

    /** Returns where the record, or the part of it, begins in the array. */
    @API(status = API.Status.INTERNAL)
    int millraceAt();

    /** Returns the index of a compact record, the rows of a mutable one, or null. */
    @API(status = API.Status.INTERNAL)
    @Nullable
    Object millraceState();

    /** Stores the index of a compact record. */
    @API(status = API.Status.INTERNAL)
    void millraceState(Object state);

    /** Returns how the fields are read. */
    @API(status = API.Status.INTERNAL)
    BinaryForm millraceForm();

    /** Returns another view of the same class. */
    @API(status = API.Status.INTERNAL)
    BinaryView millraceNew(byte[] bytes, int at, @Nullable Object state);
}
