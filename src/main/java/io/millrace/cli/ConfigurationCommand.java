package io.millrace.cli;

import io.millrace.config.ConfigurationCheck;
import io.millrace.config.ConfigurationException;
import io.millrace.config.ConfigurationFiles;
import io.millrace.config.Origins;
import io.millrace.config.PipelineReader;
import io.millrace.config.ProblemReport;
import io.millrace.config.PropertyBinding;
import io.millrace.config.Setup;
import io.millrace.config.SetupPlanner;
import io.millrace.expression.function.FunctionRegistry;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What commands on configurations have in common: they check the whole of one, list every mistake with its place on
 * stderr, and then end with 1. Nothing is started.
 */
abstract class ConfigurationCommand implements Callable<Integer> {

    static final int FINE = 0;
    static final int CONFIGURATION_WRONG = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public final Integer call() {
        String refusal = ConfigurationFiles.refusal(files());
        if (refusal != null) {
            throw usage(refusal);
        }
        ConfigurableEnvironment environment = new StandardEnvironment();
        Setup setup;
        try {
            environment = files().isEmpty() ? ConfigurationFiles.sample() : ConfigurationFiles.load(files());
            ConfigurationCheck.requirePipelines(environment, files());
            setup = new SetupPlanner(
                            PropertyBinding.bind(environment), PipelineReader.of(environment), FunctionRegistry.empty())
                    .plan();
        } catch (ConfigurationException e) {
            err().println(new ProblemReport(new Origins(environment)).describe(e));
            return CONFIGURATION_WRONG;
        }
        return run(setup);
    }

    /** Returns the files to read; if there are none, the sample's configuration is read. */
    abstract List<Path> files();

    /** Runs the command on a valid configuration, and returns the exit code. */
    abstract int run(Setup setup);

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
