package io.millrace.cli.check;

import io.millrace.cli.error.PlainWriter;
import io.millrace.cli.file.StandardStreams;
import io.millrace.config.binding.ConfigurationFiles;
import io.millrace.config.plan.CheckedConfiguration;
import io.millrace.config.plan.ConfigurationMistakesException;
import io.millrace.config.plan.Setup;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.pipeline.rules.RulesCompiler;
import io.millrace.pipeline.trial.RuleTestCase;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What commands on configurations have in common: they check the whole of one, list every mistake with its place on
 * stderr, and then end with 1. Nothing is started.
 */
abstract class ConfigurationCommand implements Callable<Integer> {

    static final String FILES = "YAML files, read together as `run` reads them; - is the standard input.";

    static final int SUCCESS = 0;
    static final int CONFIGURATION_WRONG = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private @Nullable CheckedConfiguration configuration;

    @Override
    public Integer call() {
        List<Path> named =
                files().stream().filter(file -> !StandardStreams.isMeant(file)).toList();
        if (files().size() > named.size() + 1) {
            throw usage("Duplicate file '-'. The standard input can be read once.");
        }
        String refusal = ConfigurationFiles.refusal(named);
        if (refusal != null) {
            throw usage(refusal);
        }
        CheckedConfiguration read;
        try {
            read = CheckedConfiguration.read(files(), this::select);
        } catch (ConfigurationMistakesException e) {
            err().println(e.getMessage());
            return CONFIGURATION_WRONG;
        }
        configuration = read;
        return run(read.setup(), read.tests());
    }

    /**
     * Returns the files to read, of which {@code -} is the standard input; if there are none, the sample's
     * configuration is read.
     */
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
        return configuration().compiler();
    }

    /** Returns the configuration, after it was read. */
    final CheckedConfiguration configuration() {
        return Objects.requireNonNull(configuration);
    }

    final PrintWriter out() {
        return new PlainWriter(spec.commandLine().getOut());
    }

    final PrintWriter err() {
        return new PlainWriter(spec.commandLine().getErr());
    }

    final ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
