package io.millrace.cli.check;

import io.millrace.cli.error.CommandErrorCode;
import io.millrace.cli.service.Credentials;
import io.millrace.cli.service.ServiceClient;
import io.millrace.cli.stored.StoredCatalog;
import io.millrace.config.ConnectionItems;
import io.millrace.config.plan.Setup;
import io.millrace.pipeline.definition.PipelineExplanation;
import io.millrace.pipeline.step.StepExplanation;
import io.millrace.pipeline.trial.RuleTestCase;
import io.millrace.store.catalog.CatalogComparison;
import io.millrace.store.catalog.CatalogComparison.Outcome;
import io.millrace.store.catalog.CatalogComparison.Verdict;
import io.millrace.store.error.StoreException;
import io.millrace.store.reject.Reject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Checks configuration files: reports everything that a start would refuse, all at once, without starting anything. It
 * knows the built-in functions only: those that an application registers are known only in the application.
 */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  millrace check config.yml",
            "  millrace check --against data config.yml",
            "  millrace check --connect config.yml"
        },
        description = "Checks configuration files and lists every mistake with its place.")
public final class CheckCommand extends ConfigurationCommand {

    @Parameters(arity = "1..*", paramLabel = "CONFIG", description = ConfigurationCommand.FILES)
    private List<Path> files = List.of();

    @Override
    List<Path> files() {
        return files;
    }

    @Option(
            names = "--against",
            paramLabel = "FOLDER|URL",
            description = {
                "Also compare with what is stored: in the data folder of a service that is stopped,",
                "or by a running service, such as http://localhost:8080."
            })
    private @Nullable String against;

    @Option(
            names = "--connect",
            description = {
                "Also reach what the configuration names: brokers, files, folders, ports, locators.",
                "Reads no records, and writes and changes nothing."
            })
    private boolean connect;

    @Mixin
    private final Credentials credentials = new Credentials();

    @Override
    int run(Setup setup, Map<String, List<RuleTestCase>> tests) {
        long regions = setup.regions().stream()
                .filter(region -> !Reject.isStoredIn(region))
                .count();
        out().println("Fine: " + number(setup.pipelines().size(), "pipeline") + ", " + number(regions, "region")
                + (setup.outputs().isEmpty()
                        ? ""
                        : ", " + number(setup.outputs().size(), "output")) + ".");
        setup.pipelines().forEach(plan -> warn(plan.explanation()));
        int compared = against == null ? SUCCESS : compare(setup, against);
        return connect && !connected() ? CONFIGURATION_WRONG : compared;
    }

    private boolean connected() {
        ConnectionReport report = ConnectionReport.of(ConnectionItems.of(configuration()));
        out().println("Connections:");
        report.lines().forEach(line -> out().println("  " + line));
        if (report.failed() > 0) {
            err().println(CommandErrorCode.CONNECTION_FAILED.message(
                    number(report.failed(), "connection") + " of " + report.items() + " failed."));
        }
        return report.failed() == 0;
    }

    private void warn(PipelineExplanation pipeline) {
        for (StepExplanation step : pipeline.steps()) {
            step.expressions().stream()
                    .flatMap(expression -> Stream.ofNullable(expression.explanation()))
                    .flatMap(explanation -> explanation.warnings().stream())
                    .distinct()
                    .forEach(warning -> err().println("Warning: " + step.name() + ": " + warning));
        }
    }

    private static String number(long count, String thing) {
        return count + " " + thing + (count == 1 ? "" : "s");
    }

    private int compare(Setup setup, String place) {
        List<Verdict> verdicts;
        try {
            verdicts = CatalogComparison.between(StoredCatalog.read(place, credentials), setup.stored());
        } catch (StoreException e) {
            err().println(CommandErrorCode.UNUSABLE_STORE.message(String.valueOf(e.getMessage())));
            return CONFIGURATION_WRONG;
        }
        out().println("Compared with " + place + ":");
        for (Verdict verdict : verdicts) {
            out().println("  " + verdict.name() + ": " + verdict.outcome());
            verdict.details().lines().forEach(line -> out().println("    " + line));
        }
        if (StoredCatalog.isService(place)) {
            LiveRulesCheck.print(
                    setup,
                    compiler(),
                    () -> ServiceClient.of(place, credentials.authorization(System.getenv())),
                    out());
        }
        return verdicts.stream().anyMatch(verdict -> verdict.outcome() == Outcome.REFUSED)
                ? CONFIGURATION_WRONG
                : SUCCESS;
    }
}
