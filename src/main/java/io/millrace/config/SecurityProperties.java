package io.millrace.config;

import io.millrace.web.access.AccessRole;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Access to the HTTP interface.
 *
 * @param open whether every request is permitted; without users, an issuer of tokens or an identity provider, required
 *     on addresses other than loopback
 * @param users by name
 * @param rolesClaim claim of tokens and of users of identity providers that holds their roles; names of objects and
 *     claims in them are separated by dots
 */
public record SecurityProperties(
        @DefaultValue("false") boolean open,
        @DefaultValue Map<String, UserProperties> users,
        @DefaultValue("roles") String rolesClaim) {

    /**
     * A user.
     *
     * @param password bcrypt hash of the password
     * @param passwordFile file that holds the password instead
     * @param certificate whether the user authenticates by a client certificate instead, whose common name is the
     *     user's name
     * @param role what the user may do
     */
    public record UserProperties(
            @Nullable String password,
            @Nullable Path passwordFile,
            @DefaultValue("false") boolean certificate,
            @Nullable AccessRole role) {

        /** Without the password. */
        @Override
        public String toString() {
            return String.valueOf(role);
        }
    }
}
