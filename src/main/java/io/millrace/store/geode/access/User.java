package io.millrace.store.geode.access;

/**
 * A user of a cluster, as servers and locators know it.
 *
 * @param password that authenticates the user
 * @param role what the user may do
 */
public record User(String password, UserRole role) {

    /** Without the password. */
    @Override
    public String toString() {
        return role.toString();
    }
}
