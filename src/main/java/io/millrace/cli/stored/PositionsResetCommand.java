package io.millrace.cli.stored;

import io.millrace.cli.error.CommandErrorCode;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.store.geode.admin.StoredData;
import io.millrace.store.write.Commit;
import java.util.Map;
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
            description = "A pipeline, or a writer such as trades/0 as `positions list` shows it.")
    private String name = "";

    @Override
    int run(MillraceProperties properties, StoredData stored) {
        String writer = name.contains("/") ? name : name + "/0";
        Map<String, Commit> positions = stored.positions();
        Commit commit = positions.get(writer);
        if (commit == null) {
            return wrong(
                    CommandErrorCode.UNKNOWN_NAME,
                    "Unknown writer '" + writer + "'. Use one of: " + String.join(", ", positions.keySet()) + ".");
        }
        out().println(PositionText.of(writer, commit));
        if (!isConfirmed(name, "reset this position")) {
            return wrong(CommandErrorCode.NOT_CONFIRMED, "Nothing was reset.");
        }
        stored.resetPosition(writer);
        out().println("Reset: " + writer);
        return FINE;
    }
}
