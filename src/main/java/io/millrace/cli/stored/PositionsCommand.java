package io.millrace.cli.stored;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lists and resets the positions of pipelines in their feeds. */
@Command(
        name = "positions",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  millrace positions list", "  millrace positions reset trades --data data"},
        description = "Lists and resets how far pipelines have read their feeds, in a data folder or a cluster.",
        subcommands = {PositionsListCommand.class, PositionsResetCommand.class})
public final class PositionsCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "Missing command. Use one of: list, reset.");
        }
    }
}
