package io.millrace.cli.service;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Compares the rules of a file with those of a running pipeline. */
@Command(
        name = "shadow",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  millrace rules shadow trades config.yml --seconds 60",
            "  millrace rules shadow trades",
            "  millrace rules shadow trades --stop"
        },
        description = {
            "Compares the rules of a file with the live rules of a pipeline, on the records that it processes.",
            "The rules of the file have no effect. Without a file, it prints what has been compared so far."
        })
final class RulesShadowCommand extends RulesServiceCommand {

    @Parameters(index = "0", paramLabel = "PIPELINE", description = "Name of the pipeline.")
    private String pipeline = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "FILE",
            description = "YAML file with 'steps', or a configuration that has the pipeline.")
    private @Nullable Path file;

    @Option(names = "--seconds", paramLabel = "N", description = "Wait before the result is printed.")
    private int seconds;

    @Option(names = "--stop", description = "End the shadow.")
    private boolean stop;

    @Override
    int run(ServiceClient client) {
        String path = rules(pipeline) + "/shadow";
        if (file != null) {
            var _ = client.post(path, RulesSource.of(file, pipeline), null);
        }
        pause();
        print(client.get(path));
        if (stop) {
            client.delete(path);
            out().println("The shadow has ended.");
        }
        return SUCCESS;
    }

    private void pause() {
        try {
            Thread.sleep(Duration.ofSeconds(Math.max(0, seconds)));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void print(JsonNode shadow) {
        out().println(pipeline + ": compared with version "
                + shadow.path("version").asLong() + " since position "
                + shadow.path("since").asLong() + ": "
                + shadow.path("records").asLong() + " records");
        if (shadow.has("ended")) {
            out().println("  ended: " + AnswerText.line(shadow.path("ended")));
        }
        ComparisonText.printShadow(shadow, out());
    }
}
