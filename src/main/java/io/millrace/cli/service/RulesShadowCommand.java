package io.millrace.cli.service;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
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
            "Runs the rules of a file on the records that a pipeline processes, without effect, and prints how their",
            "results differ from those of the live rules. Without a file, prints what has been compared so far."
        })
final class RulesShadowCommand extends RulesServiceCommand {

    private static final int WIDTH = 16;

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
        return FINE;
    }

    private void pause() {
        try {
            Thread.sleep(Duration.ofSeconds(Math.max(0, seconds)));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void print(JsonNode shadow) {
        long records = shadow.path("records").asLong();
        out().println(pipeline + ": compared with version " + shadow.path("version").asLong() + " since position "
                + shadow.path("since").asLong() + ": " + records + " records");
        if (shadow.has("ended")) {
            out().println("  ended: " + shadow.path("ended").asString(""));
        }
        count("same", shadow.path("same").asLong(), records);
        shadow.path("differences")
                .properties()
                .forEach(difference -> count(
                        difference.getKey(), difference.getValue().asLong(), records));
        out().println(String.format(
                Locale.ROOT,
                "  %-" + WIDTH + "s%.1f ns a record (live %.1f ns), the shadow adds %.1f ns",
                "steps",
                shadow.path("nanosPerRecord").asDouble(),
                shadow.path("liveNanosPerRecord").asDouble(),
                shadow.path("totalNanosPerRecord").asDouble()));
        shadow.path("examples").forEach(this::example);
    }

    private void count(String what, long count, long records) {
        out().println(String.format(
                Locale.ROOT, "  %-" + WIDTH + "s%d (%.2f %%)", what, count, 100.0 * count / Math.max(1, records)));
    }

    private void example(JsonNode example) {
        out().println();
        out().println(example.path("difference").asString("")
                + (example.has("position")
                        ? " at position " + example.path("position").asLong()
                        : ""));
        JsonNode live = example.path("live");
        JsonNode other = example.path("shadow");
        out().println("  live    " + result(live) + values(live, null));
        out().println("  shadow  " + result(other) + values(other, live));
    }

    private static String result(JsonNode side) {
        String outcome = side.path("outcome").asString("");
        if (side.has("target")) {
            return outcome + " in " + side.path("target").asString("");
        }
        return side.has("reason") ? outcome + ", " + side.path("reason").asString("") : outcome;
    }

    /** Returns the values, or those that differ from other ones. */
    private static String values(JsonNode side, @Nullable JsonNode other) {
        String values = side.path("values").properties().stream()
                .filter(value -> other == null
                        || !value.getValue().equals(other.path("values").path(value.getKey())))
                .map(RulesShadowCommand::text)
                .collect(Collectors.joining(", "));
        return values.isEmpty() ? "" : ": " + values;
    }

    private static String text(Map.Entry<String, JsonNode> value) {
        JsonNode node = value.getValue();
        return value.getKey() + "=" + (node.isValueNode() ? node.asString("") : node.toString());
    }
}
