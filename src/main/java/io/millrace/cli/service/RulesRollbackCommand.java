package io.millrace.cli.service;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Goes back to the rules of an earlier version. */
@Command(
        name = "rollback",
        mixinStandardHelpOptions = true,
        description = {
            "Adds a version with the steps of an earlier one, and applies it.",
            "Tests of the configuration that fail with these steps are warnings."
        })
final class RulesRollbackCommand extends RulesServiceCommand {

    @Parameters(index = "0", paramLabel = "PIPELINE", description = "Name of the pipeline.")
    private String pipeline = "";

    @Parameters(index = "1", paramLabel = "VERSION", description = "Number of the earlier version.")
    private long version;

    @Mixin
    private final ChangeOptions options = new ChangeOptions();

    @Override
    int run(ServiceClient client) {
        String query = "/rollback?to=" + version + "&" + options.query();
        return print(pipeline, client.post(rules(pipeline) + query, "", options.newest()));
    }
}
