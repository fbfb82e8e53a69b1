package io.millrace.cli.service;

/** A service does not answer, or refuses a request. The message is for the user of the command. */
public final class ServiceException extends RuntimeException {

    private static final long serialVersionUID = 1;

    ServiceException(String message) {
        super(message);
    }
}
