package io.millrace.codec.text.csv;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import io.millrace.codec.ChildRows;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.text.CsvException;
import io.millrace.codec.text.RecordWriter;
import io.millrace.schema.ProblemCode;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes records as CSV: UTF-8, lines ending in LF, with the labels of the fields as header. Not thread-safe. */
public final class CsvWriting implements RecordWriter {

    private final CsvWriter csv;
    private final List<CsvColumns.Column> columns;
    private final Map<String, Integer> groups;

    /**
     * Writes the header.
     *
     * @param out not closed
     * @throws CsvException if CSV can't hold records of the schema
     */
    public CsvWriting(Schema schema, OutputStream out) {
        if (!schema.groups().isEmpty()) {
            throw new CsvException(
                    List.of(ProblemCode.SCHEMA_MISMATCH.message("Schema '" + schema.name() + "' has the list '"
                            + schema.groups().getFirst().path().replace("[]", "")
                            + "', which CSV can't hold. Use JSON lines: --to json.")));
        }
        RecordCodec codec = RecordCodec.of(schema.base());
        columns = CsvColumns.of(codec);
        groups = CsvColumns.optionalGroups(codec.schema());
        csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(out, StandardCharsets.UTF_8);
        csv.writeRecord(
                columns.stream().map(column -> column.codec().field().label()).toList());
    }

    @Override
    public void write(byte[] row, int at, List<ChildRows> children, int ordinal) {
        List<String> values = new ArrayList<>(columns.size());
        for (CsvColumns.Column column : columns) {
            values.add(isPresent(column, row, at) ? value(column.codec(), row, at) : "");
        }
        requireValues(values, row, at);
        csv.writeRecord(values);
    }

    private static String value(FieldCodec field, byte[] row, int at) {
        String value = field.text(row, at);
        if (value.isEmpty() && field.field().optional() && !field.isAbsent(row, at)) {
            throw new IllegalArgumentException("Invalid value '' of '"
                    + field.field().name() + "': a blank cell of CSV means that it is absent. Use JSON lines.");
        }
        return value;
    }

    /** Requires that each group that is there has a value, because blank cells mean that it is missing. */
    private void requireValues(List<String> values, byte[] row, int at) {
        groups.forEach((name, presence) -> {
            if (row[at + presence] != 0 && hasNoValue(presence, values)) {
                throw new IllegalArgumentException(
                        "Empty group '" + name + "': blank cells of CSV mean that it is missing. Use JSON lines.");
            }
        });
    }

    private boolean hasNoValue(int presence, List<String> values) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).presences().contains(presence) && !values.get(i).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPresent(CsvColumns.Column column, byte[] row, int at) {
        for (int presence : column.presences()) {
            if (row[at + presence] == 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void flush() throws IOException {
        csv.flush();
    }
}
