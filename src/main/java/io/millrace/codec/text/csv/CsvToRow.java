package io.millrace.codec.text.csv;

import io.millrace.codec.ChildRows;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.text.InvalidRecordException;
import io.millrace.codec.text.RowSink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes rows of the values in lines of CSV. Blank cells are absent values. A group that can be missing is missing if
 * all its cells are blank. Not thread-safe.
 */
final class CsvToRow {

    private final CsvHeader header;
    private final byte[] blank;
    private final byte[] row;
    private final List<ChildRows> noElements;

    /**
     * @param line number of the line of the header
     * @param columns the header
     * @throws io.millrace.codec.text.CsvException if the columns do not fit the schema
     */
    CsvToRow(long line, List<String> columns, RecordCodec codec) {
        header = CsvHeader.match(line, columns, codec);
        blank = codec.blank();
        row = new byte[blank.length];
        noElements = codec.schema().groups().stream()
                .map(group -> new ChildRows(group.rowLength()))
                .toList();
    }

    /** Reads a line, and returns everything that is wrong with it; empty if the record was written. */
    List<String> read(List<String> values, RowSink records) throws IOException {
        String countProblem = header.countProblem(values.size());
        if (countProblem != null) {
            return List.of(countProblem);
        }
        // Bytes between fields are zero, and nothing of the previous line remains.
        System.arraycopy(blank, 0, row, 0, row.length);
        List<String> reasons = set(values);
        if (reasons.isEmpty()) {
            try {
                records.write(row, 0, noElements, 0);
            } catch (IllegalArgumentException e) {
                return InvalidRecordException.reasons(e);
            }
        }
        return reasons;
    }

    private List<String> set(List<String> values) {
        for (int i = 0; i < header.size(); i++) {
            if (!values.get(i).isEmpty()) {
                header.columnAt(i).markPresent(row);
            }
        }
        List<String> reasons = List.of();
        for (int i = 0; i < header.size(); i++) {
            CsvColumns.Column column = header.columnAt(i);
            if (!column.isPresent(row)) {
                continue;
            }
            try {
                column.codec().setText(row, 0, values.get(i));
            } catch (FieldValueException e) {
                reasons = reasons.isEmpty() ? new ArrayList<>() : reasons;
                reasons.add("Invalid value '" + e.value() + "' in column " + (i + 1) + " ("
                        + header.columns().get(i) + "). " + e.reason());
            }
        }
        return reasons;
    }
}
