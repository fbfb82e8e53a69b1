package io.millrace.web.access;

/**
 * A user of the HTTP interface.
 *
 * @param name unique
 * @param passwordHash bcrypt
 * @param role what the user may do
 */
public record AccessUser(String name, String passwordHash, AccessRole role) {

    /** Without the hash. */
    @Override
    public String toString() {
        return name + " (" + role.word() + ")";
    }
}
