package io.millrace.model.sample;

import io.millrace.model.ModelSchema;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** A format of files with samples. Stateless. */
public interface SampleFormat {

    /** Opens a file. */
    @FunctionalInterface
    interface Opener {
        InputStream open(Path file) throws IOException;
    }

    /**
     * Returns the schema that fits all samples.
     *
     * @param name name of the schema
     * @param types which types are inferred
     * @throws io.millrace.model.ModelException if no schema fits them, with all reasons and their places
     */
    ModelSchema infer(String name, InferredTypes types, List<Path> files, Opener opener) throws IOException;

    /**
     * Converts all samples to records of a schema.
     *
     * @param rejects receives a line with the place and the reason for each sample that is not a record
     * @return number of records
     */
    long convert(Schema schema, List<Path> files, Opener opener, Consumer<String> rejects) throws IOException;
}
