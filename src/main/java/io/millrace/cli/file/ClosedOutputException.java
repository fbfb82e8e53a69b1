package io.millrace.cli.file;

import java.io.IOException;

/** Thrown when the process that reads the standard output has closed it, as {@code head} does after some lines. */
final class ClosedOutputException extends IOException {

    private static final long serialVersionUID = 1;

    ClosedOutputException(IOException cause) {
        super("The standard output was closed.", cause);
    }
}
