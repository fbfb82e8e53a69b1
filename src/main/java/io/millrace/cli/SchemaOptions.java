package io.millrace.cli;

import io.millrace.schema.Schema;
import picocli.CommandLine.Option;

/** The options that choose a schema. */
final class SchemaOptions extends SchemaFolder {

    @Option(names = "--schema", required = true, paramLabel = "NAME", description = "Schema of the records.")
    private String name = "";

    /** The schema chosen. */
    Schema any() {
        return named(name);
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
