package io.millrace.cli.service;

import io.millrace.cli.error.CommandErrorCode;

/** A service does not answer, or refuses a request. The message is for the user of the command and has a code. */
public final class ServiceException extends RuntimeException {

    private static final long serialVersionUID = 1;

    ServiceException(CommandErrorCode code, String message) {
        this(code.code(), message);
    }

    /** @param code code of the HTTP API; the message gets it unless it has a more precise one */
    ServiceException(String code, String message) {
        super(CommandErrorCode.message(message, code));
    }
}
