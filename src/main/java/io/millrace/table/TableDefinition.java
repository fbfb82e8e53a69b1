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
 * @param file where the rows are: CSV ({@code .csv}, or any other ending), JSON lines ({@code .jsonl},
 *     {@code .ndjson}), records ({@code .bin}), or a table that was built before ({@code .table}); {@code classpath:}
 *     before it for one inside the jar
 * @param key field that rows are found by
 * @param schema of the rows, whose fields' labels or names are the titles; null to take the columns' types from what
 *     they hold
 * @param mapped where the table is kept, mapped, so that a restart need not load it; null to have it in memory
 */
public record TableDefinition(
        String name,
        String file,
        String key,
        @Nullable Schema schema,
        @Nullable Path mapped) {

    /**
     * Schema of the rows that follows from {@link #schema} and the form of the file. A table that was built before says
     * itself what its rows hold; for one this is the schema of rows that were built from records.
     *
     * @throws NullPointerException where no schema is given
     */
    public Schema rowSchema() {
        Schema given = Objects.requireNonNull(schema);
        String form = file.toLowerCase(Locale.ROOT);
        return form.endsWith(".bin") || form.endsWith(".table")
                ? RowSchemas.ofRecords(given)
                : RowSchemas.ofTexts(given, key);
    }
}
