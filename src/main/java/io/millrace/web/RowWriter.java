package io.millrace.web;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the rows of an answer as bytes. Not thread-safe. */
interface RowWriter {

    /** Writes a row; the first also what stands before it. */
    void row(Map<String, @Nullable Object> row);

    /**
     * Writes what stands behind the last row; without a row also what stands before it.
     *
     * @param told by the answer besides its rows
     */
    void end(Map<String, @Nullable Object> told);

    /** Makes sure that all that was written has arrived where the bytes go. */
    void flush();
}
