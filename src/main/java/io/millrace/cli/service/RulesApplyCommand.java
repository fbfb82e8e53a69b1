package io.millrace.cli.service;

import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Changes the rules of a pipeline to those of a file. */
@Command(
        name = "apply",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  millrace rules apply trades config.yml --dry-run",
            "  millrace rules apply trades rules.yml --comment 'larger trades only' --expect 7"
        },
        description = {
            "Changes the rules of a running pipeline to those of a file.",
            "If they are equal already, nothing changes, and the exit code is 0."
        })
final class RulesApplyCommand extends RulesServiceCommand {

    @Parameters(index = "0", paramLabel = "PIPELINE", description = "Name of the pipeline.")
    private String pipeline = "";

    @Parameters(
            index = "1",
            paramLabel = "FILE",
            description = "YAML file with 'steps', or a configuration that has the pipeline.")
    private Path file = Path.of("");

    @Mixin
    private final ChangeOptions options = new ChangeOptions();

    @Mixin
    private final SkipTestsOption tests = new SkipTestsOption();

    @Option(names = "--dry-run", description = "Only check the rules.")
    private boolean dryRun;

    @Override
    int run(ServiceClient client) {
        String query = "?dryRun=" + dryRun + "&" + options.query() + "&" + tests.query();
        JsonNode result = client.post(rules(pipeline) + query, RulesSource.of(file, pipeline), options.newest());
        return print(pipeline, result);
    }
}
