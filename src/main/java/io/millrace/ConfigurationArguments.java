package io.millrace;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Parameters;

/** The configuration files of a command that starts a service. */
final class ConfigurationArguments {

    @Parameters(paramLabel = "CONFIG", description = "YAML files; later ones take precedence over earlier ones.")
    private List<Path> files = List.of();

    /** Returns the files in the order of the command line. */
    List<Path> files() {
        return files;
    }
}
