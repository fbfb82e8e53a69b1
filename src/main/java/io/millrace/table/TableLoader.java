package io.millrace.table;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.text.CsvException;
import io.millrace.codec.text.CsvLines;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Loads a table from a CSV file with a header line. Holds the whole file in memory while it loads. */
public final class TableLoader {

    private static final String CLASS_PATH = "classpath:";
    private static final int MOST_PROBLEMS = 20;

    private final String name;
    private final String file;
    private final List<String> problems = new ArrayList<>();

    private TableLoader(String name, String file) {
        this.name = name;
        this.file = file;
    }

    /**
     * The table that a file holds.
     *
     * @param name of the table
     * @param file path; {@code classpath:} before it for one inside the jar
     * @param key column that rows are found by: a whole number or a dictionary value, different in each row
     * @param schema of the rows, whose fields' labels or names are the columns; null to take the columns' types from
     *     what they hold
     * @throws TableException with all that is wrong
     */
    public static Table load(String name, String file, String key, @Nullable Schema schema) {
        return new TableLoader(name, file).load(key, schema);
    }

    /**
     * What {@link #load} gives, but without a row, and without the file being read or there: its schema and key.
     *
     * @throws TableException where the key is none of the schema's
     */
    public static Table withoutRows(String name, String file, String key, Schema schema) {
        Schema rows = rowSchema(schema, key);
        Field keyField = new TableLoader(name, file).keyField(rows, key);
        byte[] absent = absentRow(RecordCodec.of(rows));
        return new Table(name, rows, keyField, absent, new long[0]);
    }

    private Table load(String keyColumn, @Nullable Schema given) {
        List<CsvRecord> lines = read();
        if (lines.size() < 2) {
            throw problem("holds no row");
        }
        List<String> header = lines.removeFirst().getFields();
        checkColumns(header, lines);
        Schema schema = rowSchema(given == null ? ColumnTypes.infer(name, header, lines) : given, keyColumn);
        Field key = keyField(schema, keyColumn);
        RecordCodec codec = RecordCodec.of(schema);
        Map<FieldCodec, Integer> columns = columns(header, codec);
        refuseProblems();
        return fill(lines, codec, columns, key);
    }

    private Field keyField(Schema schema, String column) {
        Field key = schema.field(column);
        if (key == null) {
            throw problem("key=" + column + " is none of its columns" + NearestName.hint(column, schema.names()));
        }
        if (!(key.type() instanceof FieldType.IntegerType || key.type() instanceof FieldType.EnumType)) {
            throw problem("key=" + column + " holds " + key.type()
                    + ", but a key is a whole number or, by a schema, a dictionary value");
        }
        return key;
    }

    /** Every line has a value for each column, and no two columns have one title. */
    private void checkColumns(List<String> header, List<CsvRecord> lines) {
        Set<String> titles = new HashSet<>();
        for (String title : header) {
            if (!titles.add(title)) {
                problems.add("line 1: column '" + title + "' stands twice");
            }
        }
        for (CsvRecord line : lines) {
            if (line.getFieldCount() != header.size()) {
                at(line, "has " + line.getFieldCount() + " columns, the header has " + header.size());
            }
        }
        refuseProblems();
    }

    private void refuseProblems() {
        if (!problems.isEmpty()) {
            throw new TableException(name, file, problems);
        }
    }

    private Table fill(List<CsvRecord> lines, RecordCodec codec, Map<FieldCodec, Integer> columns, Field key) {
        int length = codec.schema().recordLength();
        byte[] rows = Arrays.copyOf(absentRow(codec), Math.multiplyExact(length, lines.size() + 1));
        long[] keys = new long[lines.size()];
        Map<Long, Long> lineByKey = new HashMap<>();
        IntStorage keyStorage = ((FieldType.Numbered) key.type()).storage();
        int keyColumn = Objects.requireNonNull(columns.get(codec.codec(key.name())));
        for (int i = 0; i < lines.size() && problems.size() < MOST_PROBLEMS; i++) {
            CsvRecord line = lines.get(i);
            int row = (i + 1) * length;
            columns.forEach((field, column) -> write(line, field, line.getField(column), rows, row));
            keys[i] = RawBytes.get(rows, row + key.offset(), keyStorage);
            Long earlier = lineByKey.putIfAbsent(keys[i], line.getStartingLineNumber());
            if (earlier != null) {
                at(line, "key=" + line.getField(keyColumn) + " stands in line " + earlier + " already");
            }
        }
        refuseProblems();
        return new Table(name, codec.schema(), key, rows, keys);
    }

    /** The row that stands for "no such key". */
    private static byte[] absentRow(RecordCodec codec) {
        byte[] row = new byte[codec.schema().recordLength()];
        codec.codecs().stream().filter(field -> field.field().optional()).forEach(field -> field.putAbsent(row, 0));
        return row;
    }

    private void write(CsvRecord line, FieldCodec field, String text, byte[] rows, int row) {
        try {
            field.setText(rows, row, text);
        } catch (FieldValueException e) {
            at(line, e.getMessage());
        }
    }

    /** Every field but the key may be absent: so it is in the row that stands for "no such key". */
    private static Schema rowSchema(Schema schema, String key) {
        List<Field> fields = schema.fields().stream()
                .map(field -> field.name().equals(key) || field.optional()
                        ? field
                        : field.asOptional(Field.defaultNullRaw(field.type())))
                .toList();
        return new Schema(schema.name(), schema.recordLength(), fields, List.of());
    }

    /** The codec of each column that the schema knows; a column that it does not know is not kept. */
    private Map<FieldCodec, Integer> columns(List<String> header, RecordCodec codec) {
        Map<FieldCodec, Integer> columns = new LinkedHashMap<>();
        for (FieldCodec field : codec.codecs()) {
            int column = 0;
            while (column < header.size() && !heads(header.get(column), field.field())) {
                column++;
            }
            if (column == header.size()) {
                problems.add("has no column for field " + field.field().name()
                        + NearestName.hint(field.field().name(), header));
            } else {
                columns.put(field, column);
            }
        }
        return columns;
    }

    private static boolean heads(String title, Field field) {
        return title.equalsIgnoreCase(field.label()) || title.equalsIgnoreCase(field.name());
    }

    private List<CsvRecord> read() {
        try (InputStream in = open()) {
            List<CsvRecord> lines = new ArrayList<>();
            new CsvLines(in).forEachRemaining(lines::add);
            return lines;
        } catch (CsvException e) {
            throw problem(String.valueOf(e.getMessage()));
        } catch (IOException | UncheckedIOException e) {
            throw problem("can't be read: " + e);
        }
    }

    private InputStream open() throws IOException {
        if (!file.startsWith(CLASS_PATH)) {
            return Files.newInputStream(Path.of(file));
        }
        String resource = "/" + file.substring(CLASS_PATH.length());
        InputStream in = TableLoader.class.getResourceAsStream(resource);
        if (in == null) {
            throw new IOException("no such resource");
        }
        return in;
    }

    private void at(CsvRecord line, @Nullable String problem) {
        if (problems.size() < MOST_PROBLEMS) {
            problems.add("line " + line.getStartingLineNumber() + ": " + problem);
        }
    }

    private TableException problem(String problem) {
        return new TableException(name, file, List.of(problem));
    }
}
