package io.millrace.web.access;

import org.springframework.security.core.AuthenticationException;

/** Thrown when too many passwords are being checked. */
final class BusySignInException extends AuthenticationException {

    static final String MESSAGE = "Too many passwords are being checked. Try again in a second.";
    private static final long serialVersionUID = 1;

    BusySignInException() {
        super(MESSAGE);
    }
}
