package io.millrace.web.access;

import org.jspecify.annotations.Nullable;

/**
 * A user of the HTTP interface.
 *
 * @param name unique
 * @param passwordHash bcrypt; null for a user who authenticates by a client certificate
 * @param role what the user may do
 */
public record AccessUser(String name, @Nullable String passwordHash, AccessRole role) {

    /** Returns whether the user authenticates by a client certificate. */
    boolean byCertificate() {
        return passwordHash == null;
    }

    /** Returns name and role, without the hash. */
    @Override
    public String toString() {
        return name + " (" + role.word() + ")";
    }
}
