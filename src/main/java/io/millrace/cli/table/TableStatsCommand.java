package io.millrace.cli.table;

import io.millrace.cli.error.CommandErrorCode;
import io.millrace.cli.file.FileCommand;
import io.millrace.schema.Field;
import io.millrace.table.PackedTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the size and the fields of a table. */
@Command(
        name = "stats",
        mixinStandardHelpOptions = true,
        description = "Shows the number of rows, the fields and the size of a table.")
final class TableStatsCommand extends FileCommand {

    @Option(
            names = "--check",
            description = "Reads the whole file and verifies its checksums. The exit code is 1 if it is corrupt.")
    private boolean check;

    @Parameters(index = "0", paramLabel = "FILE.table")
    private Path file = Path.of("");

    @Override
    protected int run() throws IOException {
        PackedTable table = PackedTable.open(String.valueOf(file.getFileName()), file);
        out().println("rows: " + table.rows());
        out().println("bytes: " + table.bytes());
        out().println(String.format(Locale.ROOT, "bytes a row: %.1f", (double) table.bytes() / table.rows()));
        out().println("found by: " + table.form() + " addressing");
        out().println("key: " + table.key().name());
        out().println("schema: " + table.schema());
        for (Field field : table.schema().fields()) {
            out().println("  " + field.name() + " at " + field.offset() + ", "
                    + field.type().bytes() + " bytes" + (field.nullFlag() ? " and a null flag" : ""));
        }
        return !check || isWhole(table) ? SUCCESS : INPUT_WRONG;
    }

    private boolean isWhole(PackedTable table) {
        long damaged = table.damaged();
        if (damaged > 0) {
            wrong(
                    CommandErrorCode.CORRUPT_FILE,
                    "Table file '" + file + "' is corrupt in " + damaged + " parts of 1 MiB. Build it again.");
        } else {
            out().println("checked: whole");
        }
        return damaged == 0;
    }
}
