package io.millrace.cli.service;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints how two texts of rules differ. */
@Command(
        name = "diff",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  millrace rules diff trades 3", "  millrace rules diff trades --file config.yml"},
        description = {
            "Prints how the newest version differs from an earlier one, or a file from the newest version.",
            "Comments and the style of YAML don't matter: rules with the same meaning have no differences."
        })
final class RulesDiffCommand extends RulesServiceCommand {

    private static final int LINES_AROUND = 3;

    @Parameters(index = "0", paramLabel = "PIPELINE", description = "Name of the pipeline.")
    private String pipeline = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "FROM", description = "Number of the earlier version.")
    private @Nullable Long from;

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "TO",
            description = "Number of the later version; by default the newest one.")
    private @Nullable Long to;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "File with the steps, or a configuration, to compare with a version.")
    private @Nullable Path file;

    @Override
    int run(ServiceClient client) {
        if (file == null && from == null) {
            throw usage("Missing argument. Use the number of an earlier version, or --file.");
        }
        List<String> before = lines(RulesSource.of(client, pipeline, from));
        List<String> after =
                lines(file == null ? RulesSource.of(client, pipeline, to) : RulesSource.of(file, pipeline));
        String former = "version " + (from == null ? "newest" : from);
        String later = file == null ? "version " + (to == null ? "newest" : to) : file.toString();
        UnifiedDiffUtils.generateUnifiedDiff(former, later, before, DiffUtils.diff(before, after), LINES_AROUND)
                .forEach(out()::println);
        return SUCCESS;
    }

    private List<String> lines(String text) {
        return RulesSource.inOneStyle(pipeline, text).lines().toList();
    }
}
