package io.millrace.table;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.util.function.Predicate;

/**
 * Named reference data: rows of one schema, found by a key. The rows may change while they are read; the schema and the
 * key do not. Thread-safe.
 */
public interface Table {

    String name();

    /** Returns the schema of the rows. A required field has a value in every row. */
    Schema schema();

    /** Returns the field by which rows are found: an integer, a dictionary value or a text. */
    Field key();

    /** Returns whether keys are texts. */
    default boolean hasTextKeys() {
        return key().type() instanceof FieldType.StringType;
    }

    /** Returns a reader for one thread. */
    TableReader reader();

    /**
     * Visits rows in no particular order until there are no more or the predicate returns false. Rows that are added or
     * removed meanwhile may be visited or not.
     *
     * @param more receives each row, and returns whether to continue; the array is the same for each row, and valid
     *     until the predicate returns
     */
    void forEach(Predicate<byte[]> more);

    /** Returns the table's description and metrics. */
    TableStatus status();
}
