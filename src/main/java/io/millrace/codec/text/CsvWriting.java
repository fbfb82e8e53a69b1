package io.millrace.codec.text;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import io.millrace.codec.ChildRows;
import io.millrace.codec.RecordCodec;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes records as CSV: UTF-8, lines ending in LF, with the labels of the fields as header. Not thread-safe. */
final class CsvWriting implements RecordWriter {

    private final CsvWriter csv;
    private final List<CsvColumns.Column> columns;

    CsvWriting(Schema schema, OutputStream out) {
        if (!schema.groups().isEmpty()) {
            throw new CsvException(List.of("Schema '" + schema.name() + "' has the list '"
                    + schema.groups().getFirst().path().replace("[]", "")
                    + "', which CSV can't hold. Use JSON lines: --to json."));
        }
        columns = CsvColumns.of(RecordCodec.of(schema.base()));
        csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(out, StandardCharsets.UTF_8);
        csv.writeRecord(
                columns.stream().map(column -> column.codec().field().label()).toList());
    }

    @Override
    public void write(byte[] row, int at, List<ChildRows> children, int ordinal) {
        List<String> values = new ArrayList<>(columns.size());
        for (CsvColumns.Column column : columns) {
            values.add(isPresent(column, row, at) ? column.codec().text(row, at) : "");
        }
        csv.writeRecord(values);
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
