package io.millrace.table;

import io.millrace.schema.Schema;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows in a file of some format. Read as a stream, never in memory as a whole. Not thread-safe. */
interface RowSource {

    /** Receives rows and problems. */
    interface Sink {
        /** Receives a row; the array is valid until the call returns. */
        void row(long line, byte[] row) throws IOException;

        /**
         * Reports a problem.
         *
         * @param line null if the problem concerns the whole file
         */
        void problem(@Nullable Long line, @Nullable String problem);

        /** Returns whether the maximum number of problems has been reported. */
        boolean isFull();
    }

    /**
     * Infers a schema that fits the file's contents.
     *
     * @param problems receives one problem per entry, each with its line
     */
    Schema infer(String name, List<String> problems) throws IOException;

    /** Reads all rows, converted to the schema. */
    void read(Schema schema, Sink sink) throws IOException;
}
