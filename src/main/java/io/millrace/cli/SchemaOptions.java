package io.millrace.cli;

import io.millrace.schema.Schema;
import io.millrace.schema.Schemas;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that choose a schema. */
final class SchemaOptions {

    @Option(names = "--schema", required = true, paramLabel = "NAME", description = "Schema of the records.")
    private String name = "";

    @Option(
            names = "--schemas",
            paramLabel = "FOLDER",
            description = "Folder with schemas of your own, NAME.yml; they win over built-in ones.")
    private @Nullable Path folder;

    /** The schema chosen. */
    Schema any() {
        return (folder == null ? Schemas.builtIn() : Schemas.in(folder)).get(name);
    }

    /**
     * The schema chosen, for files of records.
     *
     * @throws IllegalArgumentException where its records are not of one length, so that no file holds them back to back
     */
    Schema schema() {
        Schema schema = any();
        if (schema.tagged() != null) {
            throw new IllegalArgumentException("schema=" + name
                    + " is of the tagged layout: files hold records of the fixed layout only, back to back");
        }
        return schema;
    }
}
