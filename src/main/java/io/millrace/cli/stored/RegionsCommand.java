package io.millrace.cli.stored;

import io.millrace.cli.service.RegionsMigrateCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lists, removes and migrates stored data. */
@Command(
        name = "regions",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  millrace regions list",
            "  millrace regions remove trades --data data",
            "  millrace regions migrate trades"
        },
        description =
                "Lists, removes and migrates the regions and measures that are stored in a data folder or a cluster.",
        subcommands = {RegionsListCommand.class, RegionsRemoveCommand.class, RegionsMigrateCommand.class})
public final class RegionsCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "Missing command. Use one of: list, remove, migrate.");
        }
    }
}
