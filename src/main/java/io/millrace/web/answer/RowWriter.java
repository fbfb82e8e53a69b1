package io.millrace.web.answer;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of an answer as bytes. Not thread-safe.
 *
 * @param <R> type of the rows
 */
interface RowWriter<R> {

    /** Writes a row; the first call also writes what precedes the rows. */
    void row(R row);

    /**
     * Writes what follows the last row; without rows, also what precedes them.
     *
     * @param trailer values that follow the rows
     */
    void end(Map<String, @Nullable Object> trailer);

    /** Passes everything written on to the underlying stream. */
    void flush();
}
