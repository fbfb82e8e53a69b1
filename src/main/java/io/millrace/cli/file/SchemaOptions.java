package io.millrace.cli.file;

import io.millrace.schema.Schema;
import picocli.CommandLine.Option;

/** The options that choose a schema. */
public final class SchemaOptions extends SchemaFolder {

    @Option(names = "--schema", required = true, paramLabel = "NAME", description = "Schema of the records.")
    private String name = "";

    /** Returns the chosen schema. */
    public Schema schema() {
        return named(name);
    }
}
