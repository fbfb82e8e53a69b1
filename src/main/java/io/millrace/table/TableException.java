package io.millrace.table;

import java.util.List;

/** Thrown when a table's file can't be used. The message lists all problems, up to a limit, each with its line. */
public final class TableException extends RuntimeException {

    private static final long serialVersionUID = 1;

    TableException(String table, String file, List<String> problems) {
        super("Table '" + table + "', file '" + file + "': " + String.join("\n", problems));
    }
}
