package io.millrace.table;

import io.millrace.codec.ContentException;
import io.millrace.codec.file.ContentCheck;
import io.millrace.codec.file.FileErrors;
import io.millrace.codec.text.CsvException;
import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Loads packed tables of definitions: opens a built table if it is up to date, else builds it. */
public final class TableLoader {

    private static final int MAX_PROBLEMS = 20;

    private final TableDefinition definition;
    private final SourceFile file;
    private final List<String> problems = new ArrayList<>();

    private TableLoader(TableDefinition definition, UnaryOperator<InputStream> watch) {
        this.definition = definition;
        this.file = new SourceFile(definition.file(), watch);
    }

    /**
     * Loads the table of a definition.
     *
     * @param requiredSchema schema that the rows must have; null to accept any
     * @throws TableException with all problems, up to a limit
     */
    static PackedTable load(TableDefinition definition, @Nullable Schema requiredSchema) {
        return new TableLoader(definition, UnaryOperator.identity()).load(requiredSchema);
    }

    /** Loads the table of a definition. */
    public static PackedTable load(TableDefinition definition) {
        return load(definition, null);
    }

    /**
     * Builds the table of a definition, even if it is built already.
     *
     * @param watch wraps the stream each time that the file is read
     * @throws TableException with all problems, up to a limit
     */
    public static PackedTable build(TableDefinition definition, UnaryOperator<InputStream> watch) {
        TableLoader loader = new TableLoader(definition, watch);
        return loader.attempt(() -> loader.build((Schema) null));
    }

    private PackedTable load(@Nullable Schema requiredSchema) {
        return attempt(() -> {
            if (file.endsIn(".table")) {
                return requireFitting(PackedTable.open(definition.name(), file.path()), requiredSchema);
            }
            PackedTable unchanged = unchanged(requiredSchema);
            return unchanged == null ? build(requiredSchema) : unchanged;
        });
    }

    /** Loads a table. */
    private interface Loading {
        PackedTable load() throws IOException;
    }

    private PackedTable attempt(Loading loading) {
        try {
            return loading.load();
        } catch (CsvException | ContentException e) {
            throw problem(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw problem(FileErrors.describe(definition.file(), e));
        } catch (UncheckedIOException e) {
            throw problem(FileErrors.describe(definition.file(), e));
        }
    }

    private PackedTable requireFitting(PackedTable table, @Nullable Schema requiredSchema) {
        if (!table.key().name().equals(definition.key())) {
            throw problem("Invalid key '" + definition.key() + "'. The table was built with the key '"
                    + table.key().name() + "'.");
        }
        List<Schema> fitting = fitting(requiredSchema);
        long fingerprint = table.schema().fingerprint();
        if (!fitting.isEmpty() && fitting.stream().noneMatch(schema -> schema.fingerprint() == fingerprint)) {
            throw problem("Invalid schema '" + table.schema() + "' of its rows. Build the table again with '"
                    + fitting.getFirst() + "'.");
        }
        return table;
    }

    /** Returns the schemas that a built table may have; an empty list accepts any. */
    private List<Schema> fitting(@Nullable Schema requiredSchema) {
        Schema given = definition.schema();
        if (requiredSchema != null) {
            return List.of(requiredSchema);
        }
        if (given == null) {
            return List.of();
        }
        return file.endsIn(".table")
                ? List.of(definition.rowSchema(), RowSchemas.ofTexts(given, definition.key()))
                : List.of(definition.rowSchema());
    }

    /** Returns the mapped table of an earlier start; null if its source has changed since, or it can't be used. */
    private @Nullable PackedTable unchanged(@Nullable Schema requiredSchema) throws IOException {
        Path mapped = definition.mapped();
        if (mapped == null || Files.notExists(mapped)) {
            return null;
        }
        try {
            PackedTable table = requireFitting(PackedTable.open(definition.name(), mapped), requiredSchema);
            return table.stamp() == file.stamp() ? table : null;
        } catch (TableException _) {
            return null; // it can be built from the source
        }
    }

    private PackedTable build(@Nullable Schema requiredSchema) throws IOException {
        long stamp = file.stamp();
        RowSource source = source();
        Schema schema = rowSchema(source, requiredSchema);
        if (schema.fields().isEmpty()) {
            throw problem("The table has no rows.");
        }
        String key = definition.key();
        if (schema.field(key) == null) {
            throw problem("Unknown key '" + key + "'" + NearestName.hint(key, schema.names())
                    + " Use one of the columns: " + String.join(", ", schema.names()) + ".");
        }
        Path mapped = definition.mapped();
        if (mapped != null) {
            Files.createDirectories(
                    Objects.requireNonNull(mapped.toAbsolutePath().getParent()));
        }
        TableBuilder builder;
        try {
            builder = new TableBuilder(definition.name(), definition.file(), schema, key, mapped);
        } catch (IllegalArgumentException e) {
            throw problem(String.valueOf(e.getMessage()));
        }
        source.read(builder.schema(), new Collector(builder));
        throwIfProblems();
        return builder.build(stamp);
    }

    /** Returns the schema of the rows. A schema that was inferred at the first load is retained. */
    private Schema rowSchema(RowSource source, @Nullable Schema requiredSchema) throws IOException {
        if (definition.schema() != null) {
            return definition.rowSchema();
        }
        if (requiredSchema != null) {
            return requiredSchema;
        }
        Schema inferred = source.infer(definition.name(), problems);
        throwIfProblems();
        return RowSchemas.ofTexts(inferred, definition.key());
    }

    private RowSource source() throws IOException {
        try (InputStream in = file.openUnwatched()) {
            if (file.endsIn(".jsonl") || file.endsIn(".ndjson")) {
                ContentCheck.requireJsonLines(file.name(), ContentCheck.head(in));
                return new JsonRows(file);
            }
            if (!file.endsIn(".bin")) {
                ContentCheck.requireCsv(file.name(), ContentCheck.head(in));
                return new CsvRows(file);
            }
            Schema schema = definition.schema();
            if (schema == null) {
                throw problem("The file contains records. Set 'schema' to their schema.");
            }
            ContentCheck.requireRecords(file.name(), ContentCheck.head(in, schema), schema);
            return new BinaryRows(file, schema);
        }
    }

    private void throwIfProblems() {
        if (!problems.isEmpty()) {
            throw new TableException(definition.name(), definition.file(), problems);
        }
    }

    private TableException problem(String problem) {
        return new TableException(definition.name(), definition.file(), List.of(problem));
    }

    /** Passes rows to the builder and collects problems. */
    private final class Collector implements RowSource.Sink {

        private final TableBuilder builder;

        Collector(TableBuilder builder) {
            this.builder = builder;
        }

        @Override
        public void row(long line, byte[] row) throws IOException {
            if (builder.hasKey(row)) {
                builder.add(line, row);
            } else {
                problem(line, "Missing value of the key '" + definition.key() + "'. Every row needs one.");
            }
        }

        @Override
        public void problem(@Nullable Long line, @Nullable String problem) {
            if (!isFull()) {
                problems.add(line == null ? String.valueOf(problem) : "line " + line + ": " + problem);
            }
        }

        @Override
        public boolean isFull() {
            return problems.size() >= MAX_PROBLEMS;
        }
    }
}
