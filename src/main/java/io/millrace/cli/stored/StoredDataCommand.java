package io.millrace.cli.stored;

import io.millrace.cli.error.CommandErrorCode;
import io.millrace.cli.error.PlainWriter;
import io.millrace.cli.service.QuietLogging;
import io.millrace.config.ClusterConnection;
import io.millrace.config.binding.ConfigurationCheck;
import io.millrace.config.binding.ConfigurationException;
import io.millrace.config.binding.ConfigurationFiles;
import io.millrace.config.binding.Origins;
import io.millrace.config.binding.PipelineReader;
import io.millrace.config.binding.ProblemReport;
import io.millrace.config.binding.PropertyBinding;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.store.error.NotStoredException;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.admin.ClusterData;
import io.millrace.store.geode.admin.DataFolder;
import io.millrace.store.geode.admin.StoredData;
import io.millrace.store.geode.cache.ClusterOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command on the stored data of a configured cluster, or else of the data folder, whose service must be stopped. Only
 * the properties of the configuration are read: files that it names need not exist.
 */
abstract class StoredDataCommand implements Callable<Integer> {

    static final int SUCCESS = 0;
    static final int INPUT_WRONG = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "FOLDER",
            description = "The data folder, instead of millrace.data of the configuration (by default: data).")
    private @Nullable Path folder;

    @SuppressWarnings("NullAway.Init") // set before run is called
    private PipelineReader reader;

    @Override
    public final Integer call() {
        String refusal = ConfigurationFiles.refusal(files());
        if (refusal != null) {
            throw new ParameterException(spec.commandLine(), refusal);
        }
        ConfigurableEnvironment environment = new StandardEnvironment();
        try {
            environment = ConfigurationFiles.load(files());
            ConfigurationCheck.requireKnownRootKeys(environment);
            MillraceProperties properties = PropertyBinding.bind(environment);
            reader = PipelineReader.of(environment);
            ClusterOptions cluster = folder == null ? ClusterConnection.of(properties, environment) : null;
            Path data = folder == null ? properties.data() : folder;
            try (QuietLogging _ = new QuietLogging();
                    StoredData stored = cluster == null ? new DataFolder(data) : new ClusterData(cluster)) {
                return run(properties, stored);
            }
        } catch (ConfigurationException e) {
            err().println(new ProblemReport(new Origins(environment)).describe(e));
            return INPUT_WRONG;
        } catch (NotStoredException e) {
            return wrong(CommandErrorCode.UNKNOWN_NAME, String.valueOf(e.getMessage()));
        } catch (StoreException e) {
            return wrong(CommandErrorCode.UNUSABLE_STORE, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the configuration files; if there are none, the defaults apply. */
    abstract List<Path> files();

    /** Runs the command, and returns the exit code, 0 or 1. */
    abstract int run(MillraceProperties properties, StoredData stored);

    /** Returns a reader of the configured pipelines. */
    final PipelineReader reader() {
        return reader;
    }

    /** Prints an error with its code, and returns the exit code. */
    final int wrong(CommandErrorCode code, String message) {
        err().println(code.message(message));
        return INPUT_WRONG;
    }

    final PrintWriter out() {
        return new PlainWriter(spec.commandLine().getOut());
    }

    private PrintWriter err() {
        return new PlainWriter(spec.commandLine().getErr());
    }
}
