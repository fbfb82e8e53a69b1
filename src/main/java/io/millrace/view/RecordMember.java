package io.millrace.view;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A member of the records of a generated class. Thread-safe, as long as each mutable record belongs to one thread.
 *
 * @param <V> boxed type of the getter
 */
@API(status = API.Status.STABLE)
public interface RecordMember<V> {

    /**
     * Returns the value, or null if it is absent. Groups and lists read the bytes of the record.
     *
     * @throws io.millrace.codec.FieldValueException if the bytes are not valid for the field
     */
    @Nullable
    V get(BinaryRecord record);

    /** Returns a whole number. Allocates nothing. */
    long number(BinaryRecord record);

    /** Returns a floating-point number. Allocates nothing. */
    double real(BinaryRecord record);

    /** Returns a boolean. Allocates nothing. */
    boolean truth(BinaryRecord record);

    /**
     * Writes the value.
     *
     * @param value null if the value is absent
     * @throws UnsupportedOperationException if the record is immutable
     * @throws io.millrace.codec.FieldValueException if the field can't hold the value
     */
    void set(BinaryRecord record, @Nullable V value);
}
