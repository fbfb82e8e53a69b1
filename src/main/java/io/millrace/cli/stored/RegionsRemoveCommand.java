package io.millrace.cli.stored;

import io.millrace.cli.error.CommandErrorCode;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.store.catalog.CatalogEntry;
import io.millrace.store.geode.admin.StoredData;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Removes the data of a region, or resets a measure. */
@Command(
        name = "remove",
        mixinStandardHelpOptions = true,
        description = {
            "Removes all data of a region, or the state of a measure with the regions of its rows and alerts.",
            "Stop a service that has its own data folder. In a cluster, stop the pipelines that write to the region, and"
                    + " leave the servers running."
        })
final class RegionsRemoveCommand extends ConfirmedCommand {

    @Parameters(index = "0", paramLabel = "NAME", description = "As `regions list` shows it.")
    private String name = "";

    @Override
    int run(MillraceProperties properties, StoredData stored) {
        List<String> removed = stored.removedWith(name);
        for (CatalogEntry entry : stored.entries()) {
            if (removed.contains(entry.name())) {
                out().println(entry.name() + ": " + StoredEntryText.of(entry));
            }
        }
        if (!isConfirmed(name, "remove all of this")) {
            return wrong(CommandErrorCode.NOT_CONFIRMED, "Nothing was removed.");
        }
        stored.remove(name);
        out().println("Removed: " + String.join(", ", removed));
        return SUCCESS;
    }
}
