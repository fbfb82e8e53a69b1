package io.millrace.codec.text;

import java.io.IOException;

/** Writes a format of files with records of the fixed or the compact layout. Does not close the output. */
public interface RecordWriter extends RowSink {

    /** Writes what is buffered to the output. */
    void flush() throws IOException;
}
