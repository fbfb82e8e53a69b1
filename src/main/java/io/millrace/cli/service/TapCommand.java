package io.millrace.cli.service;

import io.millrace.cli.file.StandardStreams;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Prints records that pass a point of a running pipeline. */
@Command(
        name = "tap",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  millrace tap trades",
            "  millrace tap trades.1-filter --where \"amount1 > 1000000\" --limit 10",
            "  millrace tap trades.to-buys --json | jq .notional",
            "  millrace tap trades.admitted --limit 3 --test trades.yml"
        },
        description = {
            "Prints samples of the records that pass a point of a running pipeline.",
            "It prints at most ten records a second, until you press Ctrl-C.",
            "Without a point, it lists the points of the pipeline."
        })
public final class TapCommand extends ServiceRequestCommand {

    @Parameters(
            paramLabel = "PIPELINE[.POINT]",
            description = "Name of a pipeline, and a point of it, such as trades.admitted.")
    private String place = "";

    @Option(
            names = "--where",
            paramLabel = "CONDITION",
            description = "Only records that meet the condition, which may read the fields that exist at the point.")
    private @Nullable String where;

    @Option(names = "--limit", paramLabel = "N", description = "End after so many records.")
    private long limit = Long.MAX_VALUE;

    @Option(names = "--json", description = "Print each record as a line of JSON.")
    private boolean json;

    @Option(names = "--hex", description = "Print the bytes of each record in hexadecimal digits.")
    private boolean hex;

    @Option(
            names = "--test",
            paramLabel = "CONFIG",
            description = {
                "Print each record as a test of rules, which expects what the rules of this configuration make of it.",
                "Only at the point 'admitted'."
            })
    private @Nullable Path test;

    @Override
    int run(ServiceClient client) {
        if (limit < 1) {
            throw usage("Invalid limit '" + limit + "'. Use a number above 0.");
        }
        if (Stream.of(json, hex, test != null).filter(given -> given).count() > 1) {
            throw usage("Too many options. Use one of --json, --hex and --test.");
        }
        int dot = place.indexOf('.');
        String taps = "/api/pipelines/" + ServiceClient.encoded(dot < 0 ? place : place.substring(0, dot)) + "/taps";
        if (dot < 0) {
            client.get(taps)
                    .get("points")
                    .forEach(point ->
                            out().println(place + "." + point.get("name").asString()));
            return SUCCESS;
        }
        String point = place.substring(dot + 1);
        if (test != null && !point.equals("admitted")) {
            throw usage("Invalid point '" + point + "' for --test. Use 'admitted', where records are as received.");
        }
        LiveTestWriter tests = null;
        if (test != null) {
            try (QuietLogging _ = new QuietLogging()) { // The output is a file with tests and nothing else.
                tests = LiveTestWriter.of(test, place.substring(0, dot));
            }
        }
        if (tests != null) {
            out().println(tests.head());
        }
        String path = taps + "/" + ServiceClient.encoded(point)
                + (where == null ? "" : "?where=" + ServiceClient.encoded(where));
        try (Stream<JsonNode> events = client.events(path)) {
            Iterator<JsonNode> records = events.iterator();
            long printed = 0;
            while (printed < limit && records.hasNext()) {
                print(records.next(), tests);
                printed++;
                if (out().checkError()) {
                    return StandardStreams.OUTPUT_CLOSED;
                }
            }
            return printed == limit ? SUCCESS : FAILED; // Otherwise, the service has ended the stream.
        }
    }

    private void print(JsonNode event, @Nullable LiveTestWriter tests) {
        JsonNode record = event.get("record");
        if (tests != null) {
            out().println(tests.test(event));
        } else if (json) {
            out().println(record);
        } else if (hex) {
            out().println(event.get("bytes").asString());
        } else {
            out().println(record.properties().stream().map(TapCommand::text).collect(Collectors.joining("  ")));
        }
    }

    private static String text(Map.Entry<String, JsonNode> field) {
        JsonNode value = field.getValue();
        return field.getKey() + "=" + (value.isString() ? AnswerText.line(value) : value.toString());
    }
}
