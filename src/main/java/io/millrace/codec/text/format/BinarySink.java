package io.millrace.codec.text.format;

import java.io.IOException;
import java.util.List;

/** Receives binary records as they are in a file, valid or not. */
@FunctionalInterface
interface BinarySink {

    /**
     * Receives a record, which is at the start of an array.
     *
     * @param bytes valid during the call
     * @param length length of the record
     * @return what is wrong with the record, which is then not written; empty if it is valid
     */
    List<String> write(byte[] bytes, int length) throws IOException;
}
