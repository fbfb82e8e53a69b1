package io.millrace.cli;

import io.millrace.config.Setup;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Checks configuration files: everything that a start would refuse, at once, and without starting anything. Of
 * functions it knows the built-in ones only: those that an application registers are known where the application runs.
 */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = "Checks configuration files and lists every mistake with its place.")
public final class CheckCommand extends ConfigurationCommand {

    @Parameters(arity = "1..*", paramLabel = "CONFIG", description = "YAML files, read together as `run` reads them.")
    private List<Path> files = List.of();

    @Override
    List<Path> files() {
        return files;
    }

    @Override
    void run(Setup setup) {
        out().printf(
                        "Fine: %d pipelines, %d regions.%n",
                        setup.pipelines().size(), setup.regions().size());
    }
}
