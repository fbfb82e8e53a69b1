package io.millrace.codec.text;

import java.io.IOException;
import java.io.InputStream;

/** Reads a format of files with records of the fixed or the compact layout. */
@FunctionalInterface
public interface RecordReader {

    /**
     * Reads a whole file. What is not a valid record goes to {@code bad}, and reading continues.
     *
     * @param in not closed
     * @throws CsvException if the file as a whole can't be read
     */
    ConversionResult read(InputStream in, RowSink records, BadRecord.Sink bad) throws IOException;
}
