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

    /** Whether the user authenticates by a client certificate. */
    boolean byCertificate() {
        return passwordHash == null;
    }

    /** Without the hash. */
    @Override
    public String toString() {
        return name + " (" + role.word() + ")";
    }
}
