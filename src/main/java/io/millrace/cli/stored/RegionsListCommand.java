package io.millrace.cli.stored;

import io.millrace.config.properties.MillraceProperties;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.step.TargetNames;
import io.millrace.store.catalog.CatalogEntry;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.geode.admin.StoredData;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;

/** Lists stored data. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = {
            "Lists the stored regions and measures.",
            "It reads the configuration's data folder, whose service must be stopped, or its cluster."
        })
final class RegionsListCommand extends ListingCommand {

    @Override
    int run(MillraceProperties properties, StoredData stored) {
        Set<String> configured = configured(properties);
        List<CatalogEntry> entries = stored.entries();
        if (entries.isEmpty()) {
            out().println("Nothing is stored.");
        }
        for (CatalogEntry entry : entries) {
            boolean known = files().isEmpty() || configured.contains(entry.name());
            out().println(entry.name() + ": " + StoredEntryText.of(entry) + (known ? "" : ", not configured"));
        }
        return SUCCESS;
    }

    private Set<String> configured(MillraceProperties properties) {
        Set<String> names = new HashSet<>();
        properties.regions().forEach((name, region) -> {
            if (region.persistent()) {
                names.add(name);
            }
        });
        properties.pipelines().forEach((name, pipeline) -> {
            names.add(PipelineDefinition.rejectsRegion(
                    name, TargetNames.of(pipeline.rejects()).targets()));
            reader().steps(name, pipeline.steps(), _ -> {}).stream()
                    .flatMap(step -> step.measureNames().stream())
                    .forEach(measure -> names.add(StoredDefinition.measureName(name, measure)));
        });
        return names;
    }
}
