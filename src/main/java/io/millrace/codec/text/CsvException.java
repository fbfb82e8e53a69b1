package io.millrace.codec.text;

import java.util.List;

/** Thrown when a CSV file cannot be read. The message contains all problems, one per line. */
public final class CsvException extends RuntimeException {

    CsvException(List<String> problems) {
        super(String.join("\n", problems));
    }
}
