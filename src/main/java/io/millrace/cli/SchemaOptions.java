package io.millrace.cli;

import io.millrace.schema.Schema;
import picocli.CommandLine.Option;

/** The options that choose a schema. */
final class SchemaOptions extends SchemaFolder {

    @Option(names = "--schema", required = true, paramLabel = "NAME", description = "Schema of the records.")
    private String name = "";

    /** Returns the chosen schema. */
    Schema any() {
        return named(name);
    }

    /**
     * Returns the chosen schema, for files of records.
     *
     * @throws IllegalArgumentException if its records differ in length, so that a file can't contain them back to back
     */
    Schema schema() {
        Schema schema = any();
        if (schema.layout().variesInLength()) {
            throw new IllegalArgumentException("Invalid layout of schema '" + name + "': "
                    + schema.layout().name() + ". Files of records have the fixed layout only.");
        }
        return schema;
    }

    /**
     * Returns the chosen schema, for files that are converted.
     *
     * @throws IllegalArgumentException if its records are of the tagged layout, which no file format holds
     */
    Schema convertible() {
        Schema schema = any();
        if (schema.layout().variesInLength() && !schema.layout().nests()) {
            throw new IllegalArgumentException("Schema '" + name + "' has the layout '"
                    + schema.layout().name() + "', which can't be converted. Use a schema of the fixed or the compact"
                    + " layout.");
        }
        return schema;
    }
}
