package io.millrace.table;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;

/**
 * Reference data that has a name: rows of one schema, found by a key. What it holds may change while it is read; its
 * schema and its key do not. Safe for use by many threads.
 */
public interface Table {

    String name();

    /** Schema of the rows; every field but the key is optional. */
    Schema schema();

    /** The field that rows are found by: a whole number, a dictionary value or a text. */
    Field key();

    /** Whether keys are texts. */
    default boolean hasTextKeys() {
        return key().type() instanceof FieldType.StringType;
    }

    /** What looks rows up for one thread. */
    TableReader reader();

    /** What the table is and how it fares. */
    TableStatus status();
}
