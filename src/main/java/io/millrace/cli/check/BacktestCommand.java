package io.millrace.cli.check;

import io.millrace.cli.error.CommandErrorCode;
import io.millrace.cli.file.Progress;
import io.millrace.cli.file.ProgressCount;
import io.millrace.cli.service.ComparisonText;
import io.millrace.cli.service.QuietLogging;
import io.millrace.cli.service.RulesSource;
import io.millrace.cli.service.ServiceException;
import io.millrace.config.plan.Setup;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.rules.RulesException;
import io.millrace.pipeline.rules.RulesException.Reason;
import io.millrace.pipeline.shadow.Backtest;
import io.millrace.pipeline.shadow.BacktestReport;
import io.millrace.pipeline.shadow.ShadowException;
import io.millrace.pipeline.trial.RuleTestCase;
import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares other rules with those of a configuration, on all records of the feed. Starts no service and no store. */
@Command(
        name = "backtest",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  millrace backtest config.yml --rules rules.yml",
            "  millrace backtest config.yml --rules rules.yml --pipeline trades --by currency1,buySell"
        },
        description = {
            "Compares other rules with those of a configuration, on the records of the pipeline's feed.",
            "It prints how their results differ, and stores nothing. Use it to see what a change would have done with"
                    + " recorded data."
        })
public final class BacktestCommand extends ConfigurationCommand {

    private static final int FAILED = 1;

    @Parameters(arity = "1..*", paramLabel = "CONFIG", description = ConfigurationCommand.FILES)
    private List<Path> files = List.of();

    @Option(
            names = "--rules",
            required = true,
            paramLabel = "FILE",
            description = "YAML file with 'steps', or a configuration that has the pipeline.")
    private Path rules = Path.of("");

    @Option(
            names = "--pipeline",
            paramLabel = "NAME",
            description = "Name of the pipeline, if the configuration has several.")
    private @Nullable String pipeline;

    @Option(
            names = "--by",
            split = ",",
            paramLabel = "FIELD",
            description = "Fields of the records by which differences are counted.")
    private List<String> by = List.of();

    @Option(names = "--records", paramLabel = "N", description = "Maximum number of records; by default all.")
    private long records = Long.MAX_VALUE;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    @Override
    List<Path> files() {
        return files;
    }

    @Override
    int run(Setup setup, Map<String, List<RuleTestCase>> tests) {
        if (records < 1) {
            throw usage("Invalid value '" + records + "' for option --records. Use 1 or more.");
        }
        PipelinePlan before = plan(setup);
        try (QuietLogging _ = new QuietLogging()) {
            String text = RulesSource.of(rules, before.name());
            PipelinePlan after = compiler()
                    .compile(before.name(), compiler().read(before.name(), text).text());
            Backtest backtest = new Backtest(before, after, region -> schema(setup, region), by, Backtest.Order.FEED);
            long start = System.nanoTime();
            BacktestReport report = run(backtest, before.name());
            JsonNode tree = JsonMapper.shared().valueToTree(report);
            if (json) {
                out().println(tree.toPrettyString());
                return SUCCESS;
            }
            double seconds = Math.max(1, System.nanoTime() - start) / 1e9;
            out().println(String.format(
                    Locale.ROOT,
                    "%s: %d records in %.1f s, %.0f a second",
                    before.name(),
                    report.comparison().records(),
                    seconds,
                    report.comparison().records() / seconds));
            if (backtest.incomplete() > 0) {
                out().println("  Pieces of the feed that are not records: " + backtest.incomplete());
            }
            ComparisonText.printBacktest(tree, out());
            return SUCCESS;
        } catch (RulesException e) {
            CommandErrorCode code =
                    e.reason() == Reason.NOT_LIVE ? CommandErrorCode.RULES_NOT_LIVE : CommandErrorCode.RULES_INVALID;
            e.mistakes().forEach(mistake -> err().println(code.message(mistake.toString())));
        } catch (ServiceException e) { // Its message has a code.
            err().println(e.getMessage());
        } catch (ShadowException e) {
            err().println(CommandErrorCode.SHADOW_NOT_POSSIBLE.message(String.valueOf(e.getMessage())));
        } catch (IllegalArgumentException e) {
            err().println(CommandErrorCode.INVALID_ARGUMENT.message(String.valueOf(e.getMessage())));
        } catch (IOException e) {
            err().println(CommandErrorCode.UNREADABLE_FILE.message(
                    "The feed of pipeline '" + before.name() + "' can't be read: " + e.getMessage()));
        }
        return FAILED;
    }

    private BacktestReport run(Backtest backtest, String name) throws IOException {
        ProgressCount.Unit unit = records < Long.MAX_VALUE ? ProgressCount.Unit.RECORDS : ProgressCount.Unit.MEBIBYTES;
        try (ProgressCount progress = Progress.ofCommand().count(name, unit, ProgressCount.UNKNOWN)) {
            return backtest.run(records, progress::moveTo);
        }
    }

    private static Schema schema(Setup setup, String region) {
        return setup.regions().stream()
                .filter(definition -> definition.name().equals(region))
                .findFirst()
                .orElseThrow()
                .schema();
    }

    private PipelinePlan plan(Setup setup) {
        List<String> names = setup.pipelines().stream().map(PipelinePlan::name).toList();
        if (pipeline == null && names.size() > 1) {
            throw usage("Missing option --pipeline. Use one of: " + String.join(", ", names) + ".");
        }
        return setup.pipelines().stream()
                .filter(plan -> pipeline == null || plan.name().equals(pipeline))
                .findFirst()
                .orElseThrow(() -> usage(
                        "Unknown pipeline '" + pipeline + "'" + NearestName.hint(String.valueOf(pipeline), names)));
    }
}
