package io.millrace.cli.check;

import io.millrace.config.plan.Setup;
import io.millrace.pipeline.definition.PipelineExplanation;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.trial.RuleTestCase;
import io.millrace.schema.NearestName;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Shows how the expressions of a configuration are compiled. Starts nothing. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  millrace explain config.yml --pipeline trades", "  millrace explain --json"},
        description = {
            "Shows how each expression is compiled: its typed form, the fields it reads, its constants, the code's size.",
            "Without a configuration, it explains the sample pipelines."
        })
public final class ExplainCommand extends ConfigurationCommand {

    @Parameters(paramLabel = "CONFIG", description = ConfigurationCommand.FILES)
    private List<Path> files = List.of();

    @Option(names = "--pipeline", paramLabel = "NAME", description = "Only this pipeline.")
    private @Nullable String pipeline;

    @Option(
            names = "--json",
            description = "As JSON: a list of what /api/pipelines/NAME/explain returns, without counters.")
    private boolean json;

    @Override
    List<Path> files() {
        return files;
    }

    @Override
    int run(Setup setup, Map<String, List<RuleTestCase>> tests) {
        List<PipelineExplanation> explanations =
                wanted(setup).stream().map(plan -> plan.explanation().shown()).toList();
        out().println(
                        json
                                ? JsonMapper.builder()
                                        .enable(SerializationFeature.INDENT_OUTPUT)
                                        .build()
                                        .writeValueAsString(explanations)
                                : explanations.stream().map(ExplanationText::of).collect(Collectors.joining("\n\n")));
        return SUCCESS;
    }

    private List<PipelinePlan> wanted(Setup setup) {
        String only = pipeline;
        if (only == null) {
            return setup.pipelines();
        }
        List<PipelinePlan> found = setup.pipelines().stream()
                .filter(plan -> plan.name().equals(only))
                .toList();
        if (found.isEmpty()) {
            List<String> names =
                    setup.pipelines().stream().map(PipelinePlan::name).toList();
            throw usage("Unknown pipeline '" + only + "'" + NearestName.hint(only, names));
        }
        return found;
    }
}
