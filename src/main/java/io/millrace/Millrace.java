package io.millrace;

import io.millrace.cli.HealthCommand;
import io.millrace.cli.PasswordCommand;
import io.millrace.cli.check.BacktestCommand;
import io.millrace.cli.check.CheckCommand;
import io.millrace.cli.check.ExplainCommand;
import io.millrace.cli.check.TestCommand;
import io.millrace.cli.convert.ConvertCommand;
import io.millrace.cli.convert.GenerateCommand;
import io.millrace.cli.model.ModelCommand;
import io.millrace.cli.service.PipelinesCommand;
import io.millrace.cli.service.RulesCommand;
import io.millrace.cli.service.TapCommand;
import io.millrace.cli.service.TopCommand;
import io.millrace.cli.stored.PositionsCommand;
import io.millrace.cli.stored.RegionsCommand;
import io.millrace.cli.table.TableCommand;
import io.millrace.schema.NearestName;
import io.millrace.store.geode.access.DeserializationFilter;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line. Without a command it runs the service, as {@code java -jar millrace.jar} does. */
@Command(
        name = "millrace",
        mixinStandardHelpOptions = true,
        versionProvider = MillraceVersion.class,
        description = "Filters, routes, enriches and measures feeds of binary records straight over their bytes.",
        footer = "%nbin/millrace warm writes caches with which commands and services start faster.",
        subcommands = {
            RunCommand.class,
            SampleCommand.class,
            ServerCommand.class,
            LocatorCommand.class,
            CheckCommand.class,
            ExplainCommand.class,
            TestCommand.class,
            BacktestCommand.class,
            ConvertCommand.class,
            GenerateCommand.class,
            ModelCommand.class,
            TableCommand.class,
            RegionsCommand.class,
            PositionsCommand.class,
            PipelinesCommand.class,
            RulesCommand.class,
            TopCommand.class,
            TapCommand.class,
            PasswordCommand.class,
            HealthCommand.class,
            HelpCommand.class,
            GenerateCompletion.class
        })
public final class Millrace implements Runnable {

    private static final Set<String> OWN_OPTIONS = Set.of("-h", "--help", "-V", "--version");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** Runs a command. The exit code is 0 for success, 1 for invalid input, 2 for wrong usage. */
    public static void main(String[] args) {
        OutOfMemoryExit.install();
        DeserializationFilter.install(args.length > 0 && args[0].equals(LocatorCommand.NAME));
        int code = execute(args);
        if (code != ServiceCommand.KEEPS_RUNNING) {
            System.exit(code);
        }
    }

    /** Runs a command and returns its exit code. */
    static int execute(String... args) {
        return execute(new CommandLine(new Millrace()), args);
    }

    static int execute(CommandLine commandLine, String... args) {
        boolean named =
                args.length > 0 && (commandLine.getSubcommands().containsKey(args[0]) || OWN_OPTIONS.contains(args[0]));
        if (!named && args.length > 0 && args[0].matches("[a-z]+") && !Files.exists(Path.of(args[0]))) {
            commandLine
                    .getErr()
                    .println("Unknown command: '" + args[0] + "'"
                            + NearestName.hint(
                                    args[0], commandLine.getSubcommands().keySet())
                            + " See 'millrace --help'.");
            return CommandLine.ExitCode.USAGE;
        }
        String[] full =
                named ? args : Stream.concat(Stream.of("run"), Stream.of(args)).toArray(String[]::new);
        return commandLine.setParameterExceptionHandler(Millrace::report).execute(full);
    }

    /** Reports wrong arguments without the whole help, in which what is wrong would be lost. */
    private static int report(ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        err.println(e.getMessage());
        UnmatchedArgumentException.printSuggestions(e, err);
        err.println("See '" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
        return CommandLine.ExitCode.USAGE;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command.");
    }
}
