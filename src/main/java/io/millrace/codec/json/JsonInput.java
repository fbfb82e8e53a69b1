package io.millrace.codec.json;

import java.util.ArrayList;
import java.util.List;

/** The text that {@link JsonToRow} reads, and what was wrong with it. Not thread-safe; reused. */
final class JsonInput {

    private static final int MAX_ERRORS = 20;

    private final JsonScanner scanner = new JsonScanner();
    private final List<String> errors = new ArrayList<>();
    private long elementBytes;

    /** Begins to read a text. */
    void reset(byte[] bytes, int from, int length) {
        scanner.reset(bytes, from, length);
        errors.clear();
        elementBytes = 0;
    }

    JsonScanner scanner() {
        return scanner;
    }

    void error(String message) {
        if (errors.size() < MAX_ERRORS) {
            errors.add(message);
        }
    }

    List<String> errors() {
        return errors;
    }

    /** Counts the bytes of an element's row, and returns those of all elements. */
    long addElement(int rowBytes) {
        elementBytes += rowBytes;
        return elementBytes;
    }
}
