package io.millrace.table;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.util.function.Predicate;

/**
 * Reference data that has a name: rows of one schema, found by a key. What it holds may change while it is read; its
 * schema and its key do not. Safe for use by many threads.
 */
public interface Table {

    String name();

    /** Schema of the rows. A field that it requires has a value in every row. */
    Schema schema();

    /** The field that rows are found by: a whole number, a dictionary value or a text. */
    Field key();

    /** Whether keys are texts. */
    default boolean hasTextKeys() {
        return key().type() instanceof FieldType.StringType;
    }

    /** What looks rows up for one thread. */
    TableReader reader();

    /**
     * Shows rows, in no order, until there are no more or somebody has seen enough. Rows that come or go meanwhile may
     * be among them or not.
     *
     * @param more sees each row, and tells whether to go on; the array is the same every time, and good until it
     *     returns
     */
    void forEach(Predicate<byte[]> more);

    /** What the table is and how it fares. */
    TableStatus status();
}
