package io.millrace.output;

import io.millrace.extension.PropertyCheck;
import io.millrace.schema.Schema;
import org.apiguardian.api.API;

/**
 * An output as configured. Immutable. Two that are equal write to the same place, so a configuration has one of them.
 */
@API(status = API.Status.STABLE)
public interface OutputDefinition {

    /** Returns a short description of the output, such as {@code files in 'out'}, without secrets. */
    String describe();

    /**
     * Checks whether the output can hold records of a schema. Opens nothing.
     *
     * @param schema schema of the records, with all fields that steps add
     * @param check receives everything that is wrong
     */
    default void check(Schema schema, PropertyCheck check) {
        // holds records of any schema
    }

    /** Creates the writer of a partition. {@link OutputWriter#open} opens it later. */
    OutputWriter create(OutputContext context);
}
