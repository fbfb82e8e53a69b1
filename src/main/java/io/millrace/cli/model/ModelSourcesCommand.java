package io.millrace.cli.model;

import io.millrace.cli.file.FileCommand;
import io.millrace.view.source.SourceFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes the sources of interfaces and classes that have the members of schemas. */
@Command(
        name = "sources",
        mixinStandardHelpOptions = true,
        description = {
            "Writes a Java interface with getters and setters for each schema, for use with RecordViews.",
            "With --classes, also writes a class that implements the interface over the bytes of records.",
            "With --both, also writes that class, a class of plain objects, and a factory of objects of both classes.",
            "A file whose content would stay the same is not written, so that build tools do not compile it again.",
            "Generated files of the package that belong to none of the schemas are removed."
        })
final class ModelSourcesCommand extends FileCommand {

    @Option(names = "--package", paramLabel = "NAME", description = "Package of the types; by default none.")
    private String packageName = "";

    @Option(names = "--classes", description = "Writes classes in addition to the interfaces.")
    private boolean classes;

    @Option(
            names = "--both",
            description = "Writes classes over bytes, classes of plain objects, and factories to switch between these.")
    private boolean both;

    @Option(
            names = "--implements",
            paramLabel = "TYPE=INTERFACE",
            description = {
                "Interface of the application that a generated type extends, with its package; several"
                        + " are separated by commas. Can be repeated.",
                "TYPE is a generated interface, such as Swap, Swap.Leg or, if there is only one, Leg."
            })
    private List<String> superinterfaces = List.of();

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FOLDER",
            description = "Folder of sources, in which the folders of the package are created.")
    private Path folder = Path.of("");

    @Parameters(arity = "1..*", paramLabel = "SCHEMA", description = "Schema files, and folders of them, in any order.")
    private List<Path> inputs = List.of();

    @Override
    protected int run() throws IOException {
        for (SourceFiles.Written written :
                SourceFiles.write(inputs, packageName, SourceFiles.Types.of(classes, both), superinterfaces, folder)) {
            String change = switch (written.change()) {
                case CREATED -> "Created ";
                case CHANGED -> "Changed ";
                case UNCHANGED -> "Unchanged: ";
                case REMOVED -> "Removed ";
            };
            out().println(change + written.file());
        }
        return SUCCESS;
    }
}
