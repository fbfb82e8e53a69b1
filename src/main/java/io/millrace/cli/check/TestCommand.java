package io.millrace.cli.check;

import io.millrace.cli.error.CommandErrorCode;
import io.millrace.cli.file.StandardStreams;
import io.millrace.cli.service.QuietLogging;
import io.millrace.config.plan.Setup;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.trial.PipelineTrial;
import io.millrace.pipeline.trial.RuleTestCase;
import io.millrace.schema.NearestName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Runs the tests of rules that a configuration contains. Starts no feed and no store. */
@Command(
        name = "test",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  millrace test config.yml",
            "  millrace test config.yml --watch",
            "  millrace test config.yml tests.yml --pipeline trades --junit target/rules.xml"
        },
        description = {
            "Runs the tests of rules that a configuration contains.",
            "It sends the record of each test through the steps of its pipeline, and compares the result with what the"
                    + " test expects. The exit code is 1 if a test fails."
        })
public final class TestCommand extends ConfigurationCommand {

    private static final int FAILED = 1;

    @Parameters(arity = "1..*", paramLabel = "CONFIG", description = ConfigurationCommand.FILES)
    private List<Path> files = List.of();

    @Option(names = "--pipeline", paramLabel = "NAME", description = "Only the tests of this pipeline.")
    private @Nullable String pipeline;

    @Option(names = "--json", description = "Print the results as JSON.")
    private boolean json;

    @Option(names = "--junit", paramLabel = "FILE", description = "Also write the results as JUnit XML, for CI.")
    private @Nullable Path junit;

    @Option(
            names = "--watch",
            description = {
                "Run the tests again whenever a file changes in the folders of the configuration, or in",
                "the folders in these. End with Ctrl-C."
            })
    private boolean watch;

    @Override
    public Integer call() {
        if (!watch) {
            return super.call();
        }
        if (files.stream().anyMatch(StandardStreams::isMeant)) {
            throw usage("Invalid file '-' for '--watch'. Name a file.");
        }
        try (FolderWatch changes = new FolderWatch(files)) {
            super.call();
            while (true) {
                changes.await();
                out().println();
                again();
            }
        } catch (IOException e) {
            err().println(CommandErrorCode.UNREADABLE_FILE.message(
                    "Can't watch the folders of the configuration: " + e.getMessage()));
            return FAILED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return SUCCESS;
        }
    }

    private void again() {
        try {
            super.call();
        } catch (ParameterException e) { // such as a file that was deleted, and may come back
            err().println(e.getMessage());
        }
    }

    @Override
    List<Path> files() {
        return files;
    }

    /** Tests need no feed, so they also run where its file or its address does not exist. */
    @Override
    MillraceProperties select(MillraceProperties properties) {
        return properties.withoutFeeds(properties.data());
    }

    @Override
    int run(Setup setup, Map<String, List<RuleTestCase>> tests) {
        if (pipeline != null && !tests.containsKey(pipeline)) {
            throw usage("Unknown pipeline '" + pipeline + "'" + NearestName.hint(pipeline, tests.keySet()));
        }
        List<RuleTestReport> reports = reports(setup, tests);
        if (reports.isEmpty()) {
            err().println(CommandErrorCode.NO_TESTS.message(
                    "No tests found. Write them under 'millrace.pipelines.NAME.tests'."));
            return FAILED;
        }
        out().println(json ? json(reports) : RuleTestText.of(reports));
        if (junit != null) {
            try {
                RuleTestXml.write(reports, junit);
            } catch (IOException e) {
                err().println(CommandErrorCode.UNREADABLE_FILE.message(
                        "Can't write '" + junit + "': " + e.getMessage()));
                return FAILED;
            }
        }
        return reports.stream().allMatch(RuleTestReport::passed) ? SUCCESS : FAILED;
    }

    private List<RuleTestReport> reports(Setup setup, Map<String, List<RuleTestCase>> tests) {
        List<RuleTestReport> reports = new ArrayList<>();
        try (QuietLogging _ = new QuietLogging()) {
            for (PipelinePlan plan : setup.pipelines()) {
                List<RuleTestCase> ofPipeline = tests.getOrDefault(plan.name(), List.of());
                if (!ofPipeline.isEmpty() && (pipeline == null || pipeline.equals(plan.name()))) {
                    reports.add(RuleTestReport.of(plan, ofPipeline, new PipelineTrial(plan)));
                }
            }
        }
        return reports;
    }

    private static String json(List<RuleTestReport> reports) {
        return JsonMapper.builder()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build()
                .writeValueAsString(reports);
    }
}
