package io.millrace.output;

import io.millrace.extension.ConnectionCheck;
import io.millrace.extension.PropertyCheck;
import io.millrace.schema.Schema;
import java.io.IOException;
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

    /**
     * Reaches the place of the output, for the command {@code check --connect}: writes no records, and creates and
     * changes nothing. Called after {@link #check}. A kind that reports nothing is listed as not checked.
     *
     * @param check receives what was found
     * @throws IOException if the place can't be reached
     */
    default void connect(ConnectionCheck check) throws IOException {
        // not checked
    }

    /** Creates the writer of a partition. {@link OutputWriter#open} opens it later. */
    OutputWriter create(OutputContext context);
}
