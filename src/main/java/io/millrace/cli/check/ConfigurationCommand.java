package io.millrace.cli.check;

import io.millrace.config.binding.ConfigurationCheck;
import io.millrace.config.binding.ConfigurationException;
import io.millrace.config.binding.ConfigurationFiles;
import io.millrace.config.binding.Origins;
import io.millrace.config.binding.PipelineReader;
import io.millrace.config.binding.ProblemReport;
import io.millrace.config.binding.PropertyBinding;
import io.millrace.config.plan.RuleTestReader;
import io.millrace.config.plan.RulesPlanner;
import io.millrace.config.plan.Setup;
import io.millrace.config.plan.SetupPlanner;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.pipeline.rules.RulesCompiler;
import io.millrace.pipeline.trial.RuleTestCase;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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

    private @Nullable RulesCompiler compiler;

    @Override
    public Integer call() {
        String refusal = ConfigurationFiles.refusal(files());
        if (refusal != null) {
            throw usage(refusal);
        }
        ConfigurableEnvironment environment = new StandardEnvironment();
        Setup setup;
        Map<String, List<RuleTestCase>> tests;
        try {
            environment = files().isEmpty() ? ConfigurationFiles.sample() : ConfigurationFiles.load(files());
            ConfigurationCheck.requirePipelines(environment, files());
            MillraceProperties properties = select(PropertyBinding.bind(environment));
            PipelineReader reader = PipelineReader.of(environment);
            setup = new SetupPlanner(properties, reader, FunctionRegistry.empty()).plan();
            compiler = new RulesPlanner(properties, reader, FunctionRegistry.empty(), setup, _ -> true);
            tests = RuleTestReader.read(properties, setup);
        } catch (ConfigurationException e) {
            err().println(new ProblemReport(new Origins(environment)).describe(e));
            return CONFIGURATION_WRONG;
        }
        return run(setup, tests);
    }

    /** Returns the files to read; if there are none, the sample's configuration is read. */
    abstract List<Path> files();

    /** Returns the properties that the command checks and uses; by default all. */
    MillraceProperties select(MillraceProperties properties) {
        return properties;
    }

    /**
     * Runs the command on a valid configuration, and returns the exit code.
     *
     * @param tests tests of rules by the name of the pipeline
     */
    abstract int run(Setup setup, Map<String, List<RuleTestCase>> tests);

    /** Returns what compiles other rules for pipelines of the configuration, after it was read. */
    final RulesCompiler compiler() {
        return Objects.requireNonNull(compiler);
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
