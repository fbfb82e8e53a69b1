package io.millrace.codec.text;

import java.io.IOException;
import java.util.List;

/** A form of text with records: how it is split into lines, and which values a line has. Not thread-safe. */
public interface RecordText {

    /** Returns the maximum length of a record in bytes. */
    int maxBytes();

    /** Returns whether line breaks within the quotes of CSV belong to a value. */
    boolean quotes();

    /** Returns whether a valid record shows where it ends, so that it is complete without a line end. */
    boolean endsItself();

    /**
     * Returns what splits a text of this form.
     *
     * @param last whether the text does not grow, so that its last line needs no line end
     */
    default LineSplitter split(ByteWindow window, boolean last) {
        return new LineSplitter(window, quotes(), last, maxBytes());
    }

    /**
     * Reads what precedes the records, such as a header, and consumes it.
     *
     * @param lines at the beginning of the text
     * @return whether it is complete; false if text that may grow ends within it, and nothing else was read
     * @throws CsvException if it does not fit the schema
     */
    boolean readHead(LineSplitter lines) throws IOException;

    /**
     * Reads a record.
     *
     * @param length length of the record in bytes, without its line end
     * @param records receives the record if it is valid; receives nothing for a blank line
     * @return everything that is wrong with the record; empty if it is valid or a blank line
     */
    List<String> read(byte[] bytes, int from, int length, RowSink records) throws IOException;
}
