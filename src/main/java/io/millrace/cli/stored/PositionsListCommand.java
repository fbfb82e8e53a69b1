package io.millrace.cli.stored;

import io.millrace.codec.ControlCharacters;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.store.geode.admin.StoredData;
import io.millrace.store.write.Commit;
import java.util.Map;
import picocli.CommandLine.Command;

/** Lists the positions of pipelines in their feeds, and earlier resets. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = {
            "Lists how far pipelines have read their feeds.",
            "It reads the configuration's data folder, whose service must be stopped, or its cluster."
        })
final class PositionsListCommand extends ListingCommand {

    @Override
    int run(MillraceProperties properties, StoredData stored) {
        Map<String, Commit> positions = stored.positions();
        if (positions.isEmpty()) {
            out().println("No pipeline has read anything.");
        }
        positions.forEach((writer, commit) -> out().println(PositionText.of(writer, commit)));
        stored.audit().forEach((time, entry) -> out().println(time + " " + ControlCharacters.escaped(entry)));
        return SUCCESS;
    }
}
