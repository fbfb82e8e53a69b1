package io.millrace.cli.service;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the text of a version. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = "Prints the steps of a pipeline in YAML, which 'rules apply' accepts.")
final class RulesShowCommand extends RulesServiceCommand {

    @Parameters(index = "0", paramLabel = "PIPELINE", description = "Name of the pipeline.")
    private String pipeline = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "VERSION",
            description = "Number of the version; by default the newest one.")
    private @Nullable Long version;

    @Override
    int run(ServiceClient client) {
        out().print(RulesSource.of(client, pipeline, version));
        out().flush();
        return SUCCESS;
    }
}
