package io.millrace.cli;

import io.millrace.config.ConfigurationException;
import io.millrace.config.ConfigurationFiles;
import io.millrace.config.MillraceProperties;
import io.millrace.config.Origins;
import io.millrace.config.ProblemReport;
import io.millrace.config.PropertyBinding;
import io.millrace.config.Setup;
import io.millrace.config.SetupPlanner;
import io.millrace.expression.FunctionRegistry;
import io.millrace.pipeline.definition.Problem;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.springframework.core.env.ConfigurableEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Checks configuration files: everything that a start would refuse, at once, and without starting anything. Of
 * functions it knows the built-in ones only: those that an application registers are known where the application runs.
 */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = "Checks configuration files and lists every mistake with its place.")
public final class CheckCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "CONFIG", description = "YAML files, read together as `run` reads them.")
    private List<Path> files = List.of();

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        ConfigurableEnvironment environment;
        try {
            environment = ConfigurationFiles.load(files);
        } catch (IOException | RuntimeException e) {
            err.println("A file can't be read: " + e.getMessage());
            return 1;
        }
        try {
            MillraceProperties properties = PropertyBinding.bind(environment);
            Setup setup = new SetupPlanner(properties, FunctionRegistry.empty()).plan();
            spec.commandLine()
                    .getOut()
                    .printf(
                            "Fine: %d pipelines, %d regions.%n",
                            setup.pipelines().size(), setup.regions().size());
            return 0;
        } catch (ConfigurationException e) {
            ProblemReport report = new ProblemReport(new Origins(environment));
            err.println(ProblemReport.count(e.problems().size()) + ":");
            for (Problem problem : e.problems()) {
                err.println();
                err.println(report.describe(problem));
            }
            return 1;
        }
    }
}
