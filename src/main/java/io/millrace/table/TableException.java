package io.millrace.table;

import java.util.List;

/** A table's file can't be used: everything that is wrong with it, up to a limit, each with its line. */
public final class TableException extends RuntimeException {

    private static final long serialVersionUID = 1;

    TableException(String table, String file, List<String> problems) {
        super("table=" + table + " file=" + file + ": " + String.join("\n", problems));
    }
}
