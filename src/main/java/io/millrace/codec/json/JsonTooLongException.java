package io.millrace.codec.json;

import java.util.List;

/** Thrown when a record is too long as JSON: a byte of a compact record can be thousands of characters. */
public final class JsonTooLongException extends JsonRecordException {

    private static final long serialVersionUID = 1;

    JsonTooLongException() {
        super(List.of("The record is too long as JSON. It has at most " + JsonBuffer.MAX_BYTES
                + " bytes. Select fewer fields."));
    }
}
