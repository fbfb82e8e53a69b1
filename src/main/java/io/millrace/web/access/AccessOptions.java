package io.millrace.web.access;

import java.util.List;

/**
 * Access to the HTTP interface.
 *
 * @param open whether every request is permitted
 * @param users configured users; none if only tokens or identity providers are accepted
 * @param rolesClaim claim of a token that contains its roles, see {@link ClaimRoles}
 */
public record AccessOptions(boolean open, List<AccessUser> users, String rolesClaim) {

    /** Returns whether any user has a password. */
    boolean hasPasswords() {
        return users.stream().anyMatch(user -> !user.byCertificate());
    }

    /** Returns whether any user has a client certificate. */
    boolean hasCertificates() {
        return users.stream().anyMatch(AccessUser::byCertificate);
    }
}
