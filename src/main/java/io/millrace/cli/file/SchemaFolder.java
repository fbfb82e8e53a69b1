package io.millrace.cli.file;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the folder of schemas. */
public class SchemaFolder {

    @Option(
            names = "--schemas",
            paramLabel = "FOLDER",
            description = "Folder with schemas of your own, NAME.yml. They take precedence over built-in ones.")
    private @Nullable Path folder;

    /** Returns the schema of a name. */
    public final Schema named(String name) {
        return (folder == null ? Schemas.builtIn() : Schemas.in(folder)).get(name);
    }
}
