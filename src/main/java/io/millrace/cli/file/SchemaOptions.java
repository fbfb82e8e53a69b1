package io.millrace.cli.file;

import io.millrace.cli.error.CommandErrorCode;
import io.millrace.schema.Schema;
import picocli.CommandLine.Option;

/** The options that choose a schema. */
public final class SchemaOptions extends SchemaFolder {

    @Option(names = "--schema", required = true, paramLabel = "NAME", description = "Schema of the records.")
    private String name = "";

    /** Returns the chosen schema. */
    public Schema any() {
        return named(name);
    }

    /**
     * Returns the chosen schema, for files of records.
     *
     * @throws IllegalArgumentException if its records differ in length, so that a file can't contain them back to back
     */
    public Schema schema() {
        Schema schema = any();
        if (schema.layout().variesInLength()) {
            throw new IllegalArgumentException(CommandErrorCode.SCHEMA_MISMATCH.message("Invalid layout of schema '"
                    + name + "': " + schema.layout().name() + ". Files of records have the fixed layout only."));
        }
        return schema;
    }
}
