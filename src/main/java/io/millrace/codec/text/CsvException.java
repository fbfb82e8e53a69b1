package io.millrace.codec.text;

import java.util.List;

/** A CSV file that cannot be read at all; it names everything that is wrong, one problem a line. */
public final class CsvException extends RuntimeException {

    CsvException(List<String> problems) {
        super(String.join("\n", problems));
    }
}
