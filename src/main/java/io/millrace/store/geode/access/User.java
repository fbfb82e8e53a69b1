package io.millrace.store.geode.access;

/**
 * A user of a cluster, as configured on servers and locators.
 *
 * @param password that authenticates the user
 * @param role that determines the user's permissions
 */
public record User(String password, UserRole role) {

    /** Returns the role, without the password. */
    @Override
    public String toString() {
        return role.toString();
    }
}
