package io.millrace.cli.service;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lists and restarts the pipelines of a running service. */
@Command(
        name = "pipelines",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  millrace pipelines list", "  millrace pipelines restart trades"},
        description = "Lists and restarts the pipelines of a running service.",
        subcommands = {PipelinesListCommand.class, PipelinesRestartCommand.class})
public final class PipelinesCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command. Use one of: list, restart.");
    }
}
