package io.millrace.codec;

import java.io.IOException;

/** Thrown where a file contains something else than it has to: the message says what it is, and what to do. */
public final class ContentException extends IOException {

    private static final long serialVersionUID = 1;

    ContentException(String message) {
        super(message);
    }
}
