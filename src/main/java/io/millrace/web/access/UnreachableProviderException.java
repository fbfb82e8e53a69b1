package io.millrace.web.access;

import org.springframework.security.core.AuthenticationException;

/** Thrown when an identity provider does not respond, or its response can't be used. */
final class UnreachableProviderException extends AuthenticationException {

    private static final long serialVersionUID = 1;

    UnreachableProviderException(Throwable cause) {
        super("The identity provider does not respond, or its response can't be used.", cause);
    }
}
