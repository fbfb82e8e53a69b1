package io.millrace.table;

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
        } catch (CsvException e) {
            throw problem(String.valueOf(e.getMessage()));
        } catch (IOException | UncheckedIOException e) {
            throw problem("can't be read: " + e);
        }
    }

    private PackedTable requireFitting(PackedTable table, @Nullable Schema served) {
        if (!table.key().name().equals(definition.key())) {
            throw problem("has the key " + table.key().name() + ", not " + definition.key());
        }
        Schema given = definition.schema();
        Schema wanted = served != null || given == null ? served : TableBuilder.rowSchema(given, definition.key());
        if (wanted != null && wanted.fingerprint() != table.schema().fingerprint()) {
            throw problem("holds rows of " + table.schema() + ", not of " + wanted);
        }
        return table;
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
        Schema given = served != null ? served : definition.schema();
        Schema schema = given != null ? given : source.infer(definition.name(), problems);
        refuseProblems();
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

    private RowSource source() {
        if (file.endsIn(".jsonl") || file.endsIn(".ndjson")) {
            return new JsonRows(file);
        }
        if (!file.endsIn(".bin")) {
            return new CsvRows(file);
        }
        Schema schema = definition.schema();
        if (schema == null) {
            throw problem("holds records: say by `schema` of which schema");
        }
        return new BinaryRows(file, schema);
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
