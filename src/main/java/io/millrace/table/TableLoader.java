package io.millrace.table;

import io.millrace.codec.ContentCheck;
import io.millrace.codec.ContentException;
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

/** Loads packed tables as a definition says: opens what is there and still right, and builds the rest. */
public final class TableLoader {

    private static final int MOST_PROBLEMS = 20;

    private final TableDefinition definition;
    private final SourceFile file;
    private final List<String> problems = new ArrayList<>();

    private TableLoader(TableDefinition definition, UnaryOperator<InputStream> watch) {
        this.definition = definition;
        this.file = new SourceFile(definition.file(), watch);
    }

    /**
     * The table.
     *
     * @param served schema that its rows must have; null where any will do
     * @throws TableException with all that is wrong
     */
    static PackedTable load(TableDefinition definition, @Nullable Schema served) {
        return new TableLoader(definition, UnaryOperator.identity()).load(served);
    }

    /** The table of a definition. */
    public static PackedTable load(TableDefinition definition) {
        return load(definition, null);
    }

    /**
     * Builds the table of a definition anew, whether there is one or not.
     *
     * @param watch sees what is read of the file, each time that it is
     * @throws TableException with all that is wrong
     */
    public static PackedTable build(TableDefinition definition, UnaryOperator<InputStream> watch) {
        TableLoader loader = new TableLoader(definition, watch);
        return loader.attempt(() -> loader.build((Schema) null));
    }

    private PackedTable load(@Nullable Schema served) {
        return attempt(() -> {
            if (file.endsIn(".table")) {
                return requireFitting(PackedTable.open(definition.name(), file.path()), served);
            }
            PackedTable kept = kept(served);
            return kept == null ? build(served) : kept;
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
        } catch (IOException | UncheckedIOException e) {
            throw problem("can't be read: " + e);
        }
    }

    private PackedTable requireFitting(PackedTable table, @Nullable Schema served) {
        if (!table.key().name().equals(definition.key())) {
            throw problem("has the key " + table.key().name() + ", not " + definition.key());
        }
        List<Schema> fitting = fitting(served);
        long fingerprint = table.schema().fingerprint();
        if (!fitting.isEmpty() && fitting.stream().noneMatch(schema -> schema.fingerprint() == fingerprint)) {
            throw problem("holds rows of " + table.schema() + ", not of " + fitting.getFirst());
        }
        return table;
    }

    /** Schemas that rows built before may have; none where any will do. */
    private List<Schema> fitting(@Nullable Schema served) {
        Schema given = definition.schema();
        if (served != null) {
            return List.of(served);
        }
        if (given == null) {
            return List.of();
        }
        return file.endsIn(".table")
                ? List.of(definition.rowSchema(), RowSchemas.ofTexts(given, definition.key()))
                : List.of(definition.rowSchema());
    }

    /** The mapped table of an earlier start, if its source has not changed since. */
    private @Nullable PackedTable kept(@Nullable Schema served) throws IOException {
        Path mapped = definition.mapped();
        if (mapped == null || Files.notExists(mapped)) {
            return null;
        }
        try {
            PackedTable table = requireFitting(PackedTable.open(definition.name(), mapped), served);
            return table.stamp() == file.stamp() ? table : null;
        } catch (TableException _) {
            return null; // the source has it all
        }
    }

    private PackedTable build(@Nullable Schema served) throws IOException {
        long stamp = file.stamp();
        RowSource source = source();
        Schema schema = rowSchema(source, served);
        if (schema.fields().isEmpty()) {
            throw problem("holds no row");
        }
        String key = definition.key();
        if (schema.field(key) == null) {
            throw problem("key=" + key + " is none of its columns" + NearestName.hint(key, schema.names()));
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
        refuseProblems();
        return builder.build(stamp);
    }

    /** Schema of the rows. One that followed from what the file held first stays. */
    private Schema rowSchema(RowSource source, @Nullable Schema served) throws IOException {
        if (definition.schema() != null) {
            return definition.rowSchema();
        }
        if (served != null) {
            return served;
        }
        Schema inferred = source.infer(definition.name(), problems);
        refuseProblems();
        return RowSchemas.ofTexts(inferred, definition.key());
    }

    private RowSource source() throws IOException {
        try (InputStream in = file.openUnwatched()) {
            if (file.endsIn(".jsonl") || file.endsIn(".ndjson")) {
                ContentCheck.requireText(file.name(), ContentCheck.head(in));
                return new JsonRows(file);
            }
            if (!file.endsIn(".bin")) {
                ContentCheck.requireCsv(file.name(), ContentCheck.head(in));
                return new CsvRows(file);
            }
            Schema schema = definition.schema();
            if (schema == null) {
                throw problem("holds records: say by `schema` of which schema");
            }
            ContentCheck.requireRecords(file.name(), ContentCheck.head(in, schema), schema);
            return new BinaryRows(file, schema);
        }
    }

    private void refuseProblems() {
        if (!problems.isEmpty()) {
            throw new TableException(definition.name(), definition.file(), problems);
        }
    }

    private TableException problem(String problem) {
        return new TableException(definition.name(), definition.file(), List.of(problem));
    }

    /** Brings rows to the builder and keeps what is wrong. */
    private final class Collector implements RowSource.Sink {

        private final TableBuilder builder;

        Collector(TableBuilder builder) {
            this.builder = builder;
        }

        @Override
        public void row(long line, byte[] row) throws IOException {
            builder.add(line, row);
        }

        @Override
        public void problem(@Nullable Long line, @Nullable String problem) {
            if (!isFull()) {
                problems.add(line == null ? String.valueOf(problem) : "line " + line + ": " + problem);
            }
        }

        @Override
        public boolean isFull() {
            return problems.size() >= MOST_PROBLEMS;
        }
    }
}
