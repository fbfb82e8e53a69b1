package io.millrace.table;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receives the lines of a text file. */
interface LineSink {
    /** Receives the column headings, before any line. */
    void titles(List<String> titles) throws IOException;

    /** Receives a line: a value for each title, null if there is none. */
    void line(long line, List<@Nullable String> values) throws IOException;

    void problem(long line, String problem);

    /** Returns whether reading can stop. */
    boolean isFull();
}
