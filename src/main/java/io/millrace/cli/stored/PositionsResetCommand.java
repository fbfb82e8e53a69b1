package io.millrace.cli.stored;

import io.millrace.cli.error.CommandErrorCode;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.store.geode.admin.StoredData;
import io.millrace.store.write.Commit;
import io.millrace.store.write.WriterName;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Resets the position of a pipeline in its feed. */
@Command(
        name = "reset",
        mixinStandardHelpOptions = true,
        description = {
            "Removes the position of a pipeline, and the state of its measures.",
            "At its next start, the pipeline reads its feed from the beginning. Records that it has stored remain. It"
                    + " must be stopped."
        })
final class PositionsResetCommand extends ConfirmedCommand {

    @Parameters(
            index = "0",
            paramLabel = "PIPELINE",
            description = "A pipeline, with all its partitions, or a writer such as trades/0 as `positions list` shows"
                    + " it.")
    private String name = "";

    @Override
    int run(MillraceProperties properties, StoredData stored) {
        Map<String, Commit> positions = stored.positions();
        List<String> writers = positions.keySet().stream()
                .filter(writer -> name.contains("/") ? writer.equals(name) : isPartition(writer))
                .toList();
        if (writers.isEmpty()) {
            String writer = name.contains("/") ? name : name + "/0";
            return wrong(
                    CommandErrorCode.UNKNOWN_NAME,
                    "Unknown writer '" + writer + "'. Use one of: " + String.join(", ", positions.keySet()) + ".");
        }
        writers.forEach(
                writer -> out().println(PositionText.of(writer, Objects.requireNonNull(positions.get(writer)))));
        if (!isConfirmed(name, writers.size() == 1 ? "reset this position" : "reset these positions")) {
            return wrong(CommandErrorCode.NOT_CONFIRMED, "Nothing was reset.");
        }
        for (String writer : writers) {
            stored.resetPosition(writer);
            out().println("Reset: " + writer);
        }
        return SUCCESS;
    }

    /** Returns whether a writer is a partition of the pipeline, which all instances share. */
    private boolean isPartition(String writer) {
        WriterName parsed = WriterName.parse(writer);
        return parsed.pipeline().equals(name) && parsed.instance() == null;
    }
}
