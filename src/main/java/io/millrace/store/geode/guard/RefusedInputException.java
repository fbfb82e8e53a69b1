package io.millrace.store.geode.guard;

import java.io.IOException;

/** Thrown when bytes from the network do not have the form that their port expects. */
final class RefusedInputException extends IOException {

    private static final long serialVersionUID = 1;

    RefusedInputException(String message) {
        super(message);
    }
}
