package io.millrace.cli.stored;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * A command that removes stored data after a confirmation. Its first parameter, which each command declares, names the
 * data; configuration files follow.
 */
abstract class ConfirmedCommand extends StoredDataCommand {

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "CONFIG",
            description = "YAML files, read together as `run` reads them.")
    private List<Path> files = List.of();

    @Option(names = "--yes", description = "Do not ask for confirmation.")
    private boolean yes;

    @Override
    final List<Path> files() {
        return files;
    }

    /** Returns whether the user confirmed: by {@code --yes}, or by typing the name when prompted. */
    final boolean isConfirmed(String name, String action) {
        if (yes) {
            return true;
        }
        out().print("Type '" + name + "' to " + action + ": ");
        out().flush();
        try {
            return name.equals(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine());
        } catch (IOException e) {
            return false;
        }
    }
}
