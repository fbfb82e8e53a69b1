package io.millrace.model.sample;

import io.millrace.codec.text.CsvException;
import io.millrace.codec.text.csv.CsvLines;
import io.millrace.codec.text.csv.CsvReading;
import io.millrace.model.ModelException;
import io.millrace.model.ModelField;
import io.millrace.model.ModelSchema;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Samples as CSV lines with a header. An empty value is an absent one. Stateless. */
public final class CsvSampleFormat implements SampleFormat {

    @Override
    public ModelSchema infer(String name, InferredTypes types, List<Path> files, Opener opener) throws IOException {
        Places places = new Places();
        Columns columns = new Columns(places, types);
        for (Path file : files) {
            places.file(file.toString());
            try (InputStream in = opener.open(file)) {
                columns.read(new CsvLines(in));
            } catch (CsvException e) {
                throw new ModelException(String.valueOf(e.getMessage())
                        .lines()
                        .map(line -> file + ": " + line)
                        .toList());
            }
        }
        places.throwIfAny();
        if (columns.root.count() == 0) {
            throw new ModelException(
                    List.of(files.getFirst() + ": No samples. Use a file with a header and at least one line."));
        }
        ModelSchema schema = ModelSchema.of(name, "fixed");
        schema.head()
                .add("# Imported by 'millrace model csv' from " + columns.root.count()
                        + " lines. You can edit this file:");
        schema.head().add("# the next import keeps your changes.");
        schema.fields().addAll(columns.fields());
        places.throwIfAny();
        return schema;
    }

    /** The columns of all files, which have the same titles. */
    private static final class Columns {

        private final Places places;
        private final SampleField root;
        private final FieldNames fieldNames = new FieldNames();
        /** Names of fields by title, in lower case. */
        private final Map<String, String> names = new LinkedHashMap<>();

        private final Map<String, String> titles = new HashMap<>();

        Columns(Places places, InferredTypes types) {
            this.places = places;
            this.root = SampleField.root(places, types);
        }

        void read(CsvLines lines) throws IOException {
            List<String> header = lines.header();
            if (header.isEmpty()) {
                places.problem("empty" + places, "The file is empty. Write a line of column headings first.");
                return;
            }
            List<@Nullable SampleField> columns = columns(header);
            while (!places.isFull() && lines.next()) {
                places.line(lines.number());
                String problem = lines.problem();
                if (problem != null) {
                    places.problem("csv" + places, problem);
                } else if (lines.values().size() == columns.size()) {
                    root.object();
                    for (int i = 0; i < columns.size(); i++) {
                        see(columns.get(i), lines.values().get(i));
                    }
                } else {
                    places.problem(
                            "count" + places,
                            "Invalid number of values: " + lines.values().size() + ". The header has " + columns.size()
                                    + " columns.");
                }
            }
        }

        private static void see(@Nullable SampleField column, String value) {
            if (column != null && !value.isEmpty()) {
                column.value(value, SampleField.Kind.UNTYPED);
            }
        }

        private List<@Nullable SampleField> columns(List<String> header) {
            List<@Nullable SampleField> columns = new ArrayList<>();
            boolean first = names.isEmpty();
            List<String> missing = new ArrayList<>(names.keySet());
            List<String> used = new ArrayList<>();
            for (String title : header) {
                String key = title.strip().toLowerCase(Locale.ROOT);
                if (used.contains(key)) {
                    places.problem(
                            "title " + key, "Duplicate column '" + title + "'. Rename one; case does not matter.");
                }
                used.add(key);
                missing.remove(key);
                if (first && !names.containsKey(key)) {
                    String name = fieldNames.of(title, used.size());
                    names.put(key, name);
                    titles.put(name, title.strip());
                }
                String name = names.get(key);
                if (name == null) {
                    places.problem(
                            "title " + key, "Unknown column '" + title + "'. Use the columns of the first file.");
                }
                columns.add(name == null ? null : root.member(name));
            }
            missing.forEach(key -> places.problem("title " + key, "Missing column '" + key + "' of the first file."));
            return columns;
        }

        List<ModelField> fields() {
            List<ModelField> fields = root.fields(true);
            for (ModelField field : fields) {
                String title = titles.getOrDefault(field.name(), field.name());
                if (!title.equals(field.name())) {
                    field.with("label", title);
                }
            }
            return fields;
        }
    }

    @Override
    public long convert(Schema schema, List<Path> files, Opener opener, Consumer<String> rejects) throws IOException {
        CsvReading reader = new CsvReading(schema);
        long converted = 0;
        for (Path file : files) {
            try (InputStream in = opener.open(file)) {
                converted += reader.read(
                                in,
                                (_, _, _, _) -> {},
                                bad -> bad.reasons()
                                        .forEach(reason -> rejects.accept(
                                                file + ":" + bad.place().replace("line ", "") + ": " + reason)))
                        .records();
            }
        }
        return converted;
    }
}
