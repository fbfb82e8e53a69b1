package io.millrace.codec.text;

import java.io.IOException;
import java.util.List;

/** A form of text with records: where the text of a record ends, and which values it has. Not thread-safe. */
public interface RecordText {

    /** Returns the maximum length of a record in bytes. */
    int maxBytes();

    /**
     * Reads what precedes the records, such as a header.
     *
     * @param bytes array that begins with the beginning of the text
     * @param length number of bytes of the text in the array
     * @return offset of the first record
     * @throws CsvException if it does not fit the schema
     */
    int readHead(byte[] bytes, int length);

    /**
     * Finds the end of the record that begins at an offset.
     *
     * @param to end of the bytes that are known
     * @param last whether no bytes follow, so that the last record needs no line feed
     * @return offset of the line feed that ends the record, or {@code to} for the last record; -1 if the bytes do not
     *     contain its end
     */
    int end(byte[] bytes, int from, int to, boolean last);

    /**
     * Reads a record.
     *
     * @param length length of the record in bytes, without the line feed that ends it
     * @param records receives the record if it is valid; receives nothing for a blank line
     * @return everything that is wrong with the record; empty if it is valid or a blank line
     */
    List<String> read(byte[] bytes, int from, int length, RowSink records) throws IOException;
}
