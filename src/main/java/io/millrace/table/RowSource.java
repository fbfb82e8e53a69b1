package io.millrace.table;

import io.millrace.schema.Schema;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows in a file of some form. Read as a stream, never held as a whole. Not thread-safe. */
interface RowSource {

    /** Takes what is read. */
    interface Sink {
        /** Takes a row; it is good until the call returns. */
        void row(long line, byte[] row) throws IOException;

        /** Tells of something wrong; null for the line of what concerns the whole file. */
        void problem(@Nullable Long line, @Nullable String problem);

        /** Whether so many mistakes were found that no more are reported. */
        boolean isFull();
    }

    /**
     * A schema that fits what the file holds.
     *
     * @param problems receives what is wrong, each with its line
     */
    Schema infer(String name, List<String> problems) throws IOException;

    /** Reads all rows of the schema. */
    void read(Schema schema, Sink sink) throws IOException;
}
