package io.millrace.cli.table;

import io.millrace.cli.error.CommandErrorCode;
import io.millrace.cli.file.FileCommand;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.RecordCodec;
import io.millrace.memory.RawMemory;
import io.millrace.table.PackedTable;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows a row of a table. */
@Command(
        name = "get",
        mixinStandardHelpOptions = true,
        description = "Shows the row of a key, one field in each line. The exit code is 1 if there is no such row.")
final class TableGetCommand extends FileCommand {

    /** Text of an empty value; an absent value is shown as nothing. */
    private static final String EMPTY_TEXT = "\"\"";

    @Parameters(index = "0", paramLabel = "FILE.table")
    private Path file = Path.of("");

    @Parameters(index = "1", paramLabel = "KEY")
    private String key = "";

    @Override
    protected int run() throws IOException {
        PackedTable table = PackedTable.open(String.valueOf(file.getFileName()), file);
        long row = table.find(key);
        if (row == table.absentRow()) {
            return wrong(CommandErrorCode.UNKNOWN_KEY, "Unknown key '" + key + "' in table file '" + file + "'.");
        }
        byte[] bytes = new byte[table.schema().recordLength()];
        RawMemory.copy(table.memory(), row, bytes, 0, bytes.length);
        for (FieldCodec codec : RecordCodec.of(table.schema()).codecs()) {
            String text = codec.text(bytes, 0);
            boolean empty = text.isEmpty() && !codec.isAbsent(bytes, 0);
            out().println(codec.field().name() + ": " + (empty ? EMPTY_TEXT : text));
        }
        return SUCCESS;
    }
}
