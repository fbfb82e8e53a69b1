package io.millrace.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Tables of rows that a test has, instead of a file. */
public final class TestTable {

    private TestTable() {}

    /** Returns rows, which are copied. */
    public static PackedTable rows(TableDefinition definition, List<byte[]> rows) {
        TableBuilder builder =
                new TableBuilder(definition.name(), definition.file(), definition.rowSchema(), definition.key(), null);
        try {
            for (byte[] row : rows) {
                builder.add(0, row);
            }
            return builder.build(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static ServedTable of(TableDefinition definition, PackedTable rows) {
        return new ServedTable(definition, rows);
    }

    /** As a reload of the file does. */
    public static void serve(ServedTable table, PackedTable rows) {
        table.serve(rows);
    }
}
