package io.millrace.cli.service;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Applies the rules that are compared with the live ones. */
@Command(
        name = "promote",
        mixinStandardHelpOptions = true,
        description = "Changes the rules of a running pipeline to those of its shadow, which ends.")
final class RulesPromoteCommand extends RulesServiceCommand {

    @Parameters(index = "0", paramLabel = "PIPELINE", description = "Name of the pipeline.")
    private String pipeline = "";

    @Mixin
    private final ChangeOptions options = new ChangeOptions();

    @Mixin
    private final SkipTestsOption tests = new SkipTestsOption();

    @Override
    int run(ServiceClient client) {
        String path = rules(pipeline) + "/shadow/promote?" + options.query() + "&" + tests.query();
        return print(pipeline, client.post(path, "", options.newest()));
    }
}
