package io.millrace.cli.service;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Goes back to the rules of an earlier version. */
@Command(
        name = "rollback",
        mixinStandardHelpOptions = true,
        description = "Adds a version with the steps of an earlier one, and applies it.")
final class RulesRollbackCommand extends RulesServiceCommand {

    @Parameters(index = "0", paramLabel = "PIPELINE", description = "Name of the pipeline.")
    private String pipeline = "";

    @Parameters(index = "1", paramLabel = "VERSION", description = "Number of the earlier version.")
    private long version;

    @Option(names = "--comment", paramLabel = "TEXT", description = "What the history says about the change.")
    private String comment = "";

    @Option(
            names = "--expect",
            paramLabel = "VERSION",
            description = "Change nothing unless this is the newest version.")
    private @Nullable Long newest;

    @Option(names = "--skip-tests", description = "Apply the rules although tests of the configuration fail.")
    private boolean skipTests;

    RulesRollbackCommand() {
        this(System.getenv());
    }

    RulesRollbackCommand(Map<String, String> environment) {
        super(environment);
    }

    @Override
    int run(ServiceClient client) {
        String query = "/rollback?to=" + version + "&comment=" + encoded(comment) + "&skipTests=" + skipTests;
        return print(pipeline, client.post(rules(pipeline) + query, "", newest));
    }
}
