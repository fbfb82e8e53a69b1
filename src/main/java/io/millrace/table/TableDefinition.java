package io.millrace.table;

import io.millrace.schema.Schema;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A table as configured.
 *
 * @param name of the table
 * @param file contains the rows: CSV ({@code .csv}, or any other ending), JSON lines ({@code .jsonl}, {@code .ndjson}),
 *     records ({@code .bin}), or a built table ({@code .table}); with the prefix {@code classpath:} a resource in the
 *     jar
 * @param key field by which rows are found
 * @param schema of the rows, whose column titles are labels or names of fields; null to infer the types of columns
 * @param mapped file that stores the built table, mapped, so that a restart need not load the source; null to store the
 *     table in memory
 */
public record TableDefinition(
        String name,
        String file,
        String key,
        @Nullable Schema schema,
        @Nullable Path mapped) {

    /**
     * Returns the schema of the rows, which follows from {@link #schema} and the format of the file. A built table
     * stores its own schema; for one, this method returns the schema of rows that were built from records.
     *
     * @throws NullPointerException if there is no schema
     */
    public Schema rowSchema() {
        Schema given = Objects.requireNonNull(schema);
        String form = file.toLowerCase(Locale.ROOT);
        return form.endsWith(".bin") || form.endsWith(".table")
                ? RowSchemas.ofRecords(given)
                : RowSchemas.ofTexts(given, key);
    }
}
