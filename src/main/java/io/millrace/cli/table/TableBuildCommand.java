package io.millrace.cli.table;

import io.millrace.cli.file.FileCommand;
import io.millrace.cli.file.Progress;
import io.millrace.cli.file.SchemaFolder;
import io.millrace.cli.file.StandardStreams;
import io.millrace.table.PackedTable;
import io.millrace.table.TableDefinition;
import io.millrace.table.TableLoader;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Builds a table from the rows of a file. */
@Command(
        name = "build",
        mixinStandardHelpOptions = true,
        description = {
            "Builds a table of a file's rows: CSV, JSON lines (.jsonl), or binary records (.bin).",
            "The file is written when the table is complete. After an error, a previous file remains."
        })
final class TableBuildCommand extends FileCommand {

    @Option(names = "--key", required = true, paramLabel = "FIELD", description = "Field that rows are found by.")
    private String key = "";

    @Option(
            names = "--schema",
            paramLabel = "NAME",
            description = "Schema of the rows; without it, the types of the columns follow from their values.")
    private @Nullable String schema;

    @Mixin
    private SchemaFolder schemas = new SchemaFolder();

    @Parameters(index = "0", paramLabel = "IN")
    private Path in = Path.of("");

    @Parameters(index = "1", paramLabel = "OUT.table")
    private Path out = Path.of("");

    @Override
    protected int run() throws IOException {
        if (StandardStreams.isMeant(in)) {
            throw usage("Invalid file '-'. The rows are read more than once, so name a file.");
        }
        if (!String.valueOf(out.getFileName()).endsWith(".table")) {
            throw usage("Invalid file name '" + out + "'. Use a name that ends in .table.");
        }
        TableDefinition definition = new TableDefinition(
                String.valueOf(out.getFileName()),
                in.toString(),
                key,
                schema == null ? null : schemas.named(schema),
                out);
        PackedTable table =
                TableLoader.build(definition, stream -> Progress.ofCommand().watch(stream, in));
        out().println(table.rows() + " rows of " + table.schema().recordLength() + " bytes in " + table.bytes()
                + " bytes, found by " + table.form() + " addressing");
        return SUCCESS;
    }
}
