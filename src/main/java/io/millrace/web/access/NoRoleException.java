package io.millrace.web.access;

import org.springframework.security.core.AuthenticationException;

/** Thrown when an identity provider has authenticated a user whose claims contain no role. */
final class NoRoleException extends AuthenticationException {

    private static final long serialVersionUID = 1;

    private final String user;

    NoRoleException(String user) {
        super("The user has no role.");
        this.user = user;
    }

    String user() {
        return user;
    }
}
