package io.millrace.cli.stored;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Parameters;

/** A command that lists stored data: all its parameters are configuration files. */
abstract class ListingCommand extends StoredDataCommand {

    @Parameters(arity = "0..*", paramLabel = "CONFIG", description = "YAML files, read together as `run` reads them.")
    private List<Path> files = List.of();

    @Override
    final List<Path> files() {
        return files;
    }
}
