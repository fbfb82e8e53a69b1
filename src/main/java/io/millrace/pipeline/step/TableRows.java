package io.millrace.pipeline.step;

import io.millrace.table.Table;
import io.millrace.table.TableReader;
import java.util.Collection;

/** Provides the rows of tables to the steps of a pipeline. */
@FunctionalInterface
public interface TableRows {

    /** The rows that tables have at each lookup. */
    TableRows CURRENT = (table, _) -> table.reader();

    /**
     * Returns a reader for one thread.
     *
     * @param fields names of the fields that are read
     */
    TableReader reader(Table table, Collection<String> fields);
}
