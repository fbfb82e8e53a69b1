package io.millrace.cli.service;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Compares the rules of a file with the live ones, on the records of a region. */
@Command(
        name = "backtest",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  millrace rules backtest trades config.yml --region all",
            "  millrace rules backtest trades config.yml --region all --where \"currency1 == 'EUR'\" --by currency2"
        },
        description = {
            "Compares the rules of a file with the live rules of a pipeline, on the records of a region.",
            "Both run without effect. It prints how their results differ."
        })
final class RulesBacktestCommand extends RulesServiceCommand {

    @Parameters(index = "0", paramLabel = "PIPELINE", description = "Name of the pipeline.")
    private String pipeline = "";

    @Parameters(
            index = "1",
            paramLabel = "FILE",
            description = "YAML file with 'steps', or a configuration that has the pipeline.")
    private Path file = Path.of("");

    @Option(
            names = "--region",
            required = true,
            paramLabel = "REGION",
            description = "Region that stores records of the pipeline's schema.")
    private String region = "";

    @Option(names = "--where", paramLabel = "CONDITION", description = "Only records that meet the condition.")
    private @Nullable String where;

    @Option(
            names = "--by",
            split = ",",
            paramLabel = "FIELD",
            description = "Fields of the records by which differences are counted.")
    private List<String> by = List.of();

    @Option(names = "--limit", paramLabel = "N", description = "Maximum number of records; by default all.")
    private @Nullable Long limit;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Maximum time for reading the region, ${DEFAULT-VALUE} by default.")
    private int seconds = 60;

    @Override
    int run(ServiceClient client) {
        String path = rules(pipeline) + "/backtest?region=" + ServiceClient.encoded(region)
                + "&timeout=" + seconds + "s"
                + (where == null ? "" : "&where=" + ServiceClient.encoded(where))
                + (by.isEmpty() ? "" : "&by=" + ServiceClient.encoded(String.join(",", by)))
                + (limit == null ? "" : "&limit=" + limit);
        JsonNode result = client.post(
                path,
                RulesSource.of(file, pipeline),
                null,
                Duration.ofSeconds(seconds).plusMinutes(1));
        out().println(pipeline + ": compared with version "
                + result.path("version").asLong() + " on region " + region + ": "
                + result.path("records").asLong() + " records");
        ComparisonText.printBacktest(result, out());
        return SUCCESS;
    }
}
