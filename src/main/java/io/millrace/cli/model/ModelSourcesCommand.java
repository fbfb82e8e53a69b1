package io.millrace.cli.model;

import io.millrace.cli.file.FileCommand;
import io.millrace.codec.view.InterfaceSource;
import io.millrace.schema.Schema;
import io.millrace.schema.SchemaReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.lang.model.SourceVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes the sources of interfaces whose views have the members of schemas. */
@Command(
        name = "sources",
        mixinStandardHelpOptions = true,
        description = {
            "Writes a Java interface with getters and setters for each schema, for use with RecordViews.",
            "A file whose content would stay the same is not written, so that build tools do not compile it again."
        })
final class ModelSourcesCommand extends FileCommand {

    @Option(names = "--package", paramLabel = "NAME", description = "Package of the interfaces; by default none.")
    private String packageName = "";

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FOLDER",
            description = "Folder of sources, in which the folders of the package are created.")
    private Path folder = Path.of("");

    @Parameters(arity = "1..*", paramLabel = "SCHEMA", description = "Schema files, in any order.")
    private List<Path> inputs = List.of();

    @Override
    protected int run() throws IOException {
        if (!packageName.isEmpty() && !SourceVersion.isName(packageName)) {
            throw new IllegalArgumentException(
                    "Invalid package '" + packageName + "'. Use names separated by dots, such as com.example.");
        }
        Path target = folder.resolve(packageName.replace('.', '/'));
        // All are made before the first is written: an error leaves the folder as it was.
        Map<Path, String> sources = new LinkedHashMap<>();
        for (Path input : inputs) {
            Schema schema = SchemaReader.read(input);
            Path file = target.resolve(InterfaceSource.typeName(schema) + ".java");
            if (sources.put(file, InterfaceSource.of(schema, packageName)) != null) {
                throw new IllegalArgumentException("Invalid schemas: two of them become " + file
                        + ". Rename one, or write them to different packages.");
            }
        }
        Files.createDirectories(target);
        for (Map.Entry<Path, String> source : sources.entrySet()) {
            Path file = source.getKey();
            boolean isNew = !Files.exists(file);
            boolean same = !isNew && Files.readString(file).equals(source.getValue());
            if (!same) {
                Files.writeString(file, source.getValue());
            }
            out().println((isNew ? "Created " : same ? "Unchanged: " : "Changed ") + file);
        }
        return FINE;
    }
}
