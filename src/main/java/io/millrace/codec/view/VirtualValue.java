package io.millrace.codec.view;

import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.schema.VirtualField;
import org.jspecify.annotations.Nullable;

/** A virtual field, computed for one record at a time. Thread-safe. */
public interface VirtualValue {

    /** Returns a field that holds the values, whose type determines what getters can return. */
    Field field();

    /**
     * Computes the value.
     *
     * @return value of the field's {@link io.millrace.schema.FieldType#javaType()}, or null if it is absent
     * @throws IllegalArgumentException if the record is malformed, or if the expression has no result for it
     */
    @Nullable
    Object value(byte[] record);

    /** Compiles virtual fields. The service loader finds it, as the language of expressions is not part of codecs. */
    interface Compiler {

        /**
         * Compiles a virtual field of a schema.
         *
         * @throws RuntimeException if the expression is invalid
         */
        VirtualValue compile(Schema schema, VirtualField field);
    }
}
