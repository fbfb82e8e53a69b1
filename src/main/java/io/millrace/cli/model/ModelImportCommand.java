package io.millrace.cli.model;

import io.millrace.cli.file.FileCommand;
import io.millrace.model.ModelFile;
import io.millrace.model.ModelSchema;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/**
 * What commands that import a schema have in common: they merge it with the file of its name, and print the changes.
 */
abstract class ModelImportCommand extends FileCommand {

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FOLDER",
            description = "Folder of schemas, in which NAME.yml is created or changed.")
    private Path folder = Path.of("");

    @Option(names = "--check", description = "Writes nothing. Ends with 1 if the import would change the schema.")
    private boolean check;

    /** Merges an import with the file of its name, and writes the file unless it is only checked. */
    final ModelFile merge(ModelSchema imported) throws IOException {
        return ModelFile.merge(folder, imported);
    }

    /**
     * Prints the changes, warns of those with which existing records can't be read, and writes the file. Returns the
     * exit code.
     */
    final int finish(ModelFile file) throws IOException {
        file.notes().forEach(out()::println);
        file.changes().forEach(out()::println);
        file.incompatible()
                .forEach(change -> out().println("! Records that exist can't be read with this change: " + change));
        boolean same = file.changes().isEmpty() && !file.isNew();
        if (check) {
            out().println(file.file() + (same ? " is up to date." : " is not up to date."));
            return same ? SUCCESS : INPUT_WRONG;
        }
        file.write();
        out().println((file.isNew() ? "Created " : same ? "Unchanged: " : "Changed ") + file.file());
        return SUCCESS;
    }
}
