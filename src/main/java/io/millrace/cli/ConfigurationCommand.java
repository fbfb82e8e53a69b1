package io.millrace.cli;

import io.millrace.config.ConfigurationCheck;
import io.millrace.config.ConfigurationException;
import io.millrace.config.ConfigurationFiles;
import io.millrace.config.Origins;
import io.millrace.config.ProblemReport;
import io.millrace.config.PropertyBinding;
import io.millrace.config.Setup;
import io.millrace.config.SetupPlanner;
import io.millrace.expression.FunctionRegistry;
import io.millrace.pipeline.definition.Problem;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.springframework.core.env.ConfigurableEnvironment;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command on a configuration. It checks the whole configuration without starting anything. If there are mistakes, it
 * prints each with its place to stderr, and exits with 1.
 */
abstract class ConfigurationCommand implements Callable<Integer> {

    static final int FINE = 0;
    static final int CONFIGURATION_WRONG = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public final Integer call() {
        for (Path file : files()) {
            if (!Files.isRegularFile(file)) {
                throw usage("no such file: " + file);
            }
        }
        ConfigurableEnvironment environment;
        try {
            environment = files().isEmpty() ? ConfigurationFiles.sample() : ConfigurationFiles.load(files());
        } catch (IOException | RuntimeException e) {
            err().println("A file can't be read: " + e.getMessage());
            return CONFIGURATION_WRONG;
        }
        Setup setup;
        try {
            ConfigurationCheck.requirePipelines(environment, files());
            setup = new SetupPlanner(
                            PropertyBinding.bind(environment),
                            FunctionRegistry.empty(),
                            PropertyBinding.sslBundles(environment))
                    .plan();
        } catch (ConfigurationException e) {
            report(e, environment);
            return CONFIGURATION_WRONG;
        }
        return run(setup);
    }

    /** Returns the files to read; if there are none, the sample's configuration is read. */
    abstract List<Path> files();

    /** Runs the command on a valid configuration, and returns the exit code. */
    abstract int run(Setup setup);

    private void report(ConfigurationException e, ConfigurableEnvironment environment) {
        ProblemReport report = new ProblemReport(new Origins(environment));
        err().println(ProblemReport.count(e.problems().size()) + ":");
        for (Problem problem : e.problems()) {
            err().println();
            err().println(report.describe(problem));
        }
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    final ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
