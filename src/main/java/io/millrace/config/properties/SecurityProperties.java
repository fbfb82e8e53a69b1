package io.millrace.config.properties;

import io.millrace.web.access.AccessRole;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of access to the HTTP interface.
 *
 * @param open whether every request is permitted; without users, an issuer of tokens or an identity provider, required
 *     on addresses other than loopback
 * @param users users of the HTTP interface, by name
 * @param rolesClaim claim of tokens, and of users of an identity provider, that contains their roles; dots separate
 *     nested names
 */
public record SecurityProperties(
        @DefaultValue("false") boolean open,
        @DefaultValue Map<String, UserProperties> users,
        @DefaultValue("roles") String rolesClaim) {

    /**
     * Properties of a user, who has one of password, password-file and certificate.
     *
     * @param password bcrypt hash of the password
     * @param passwordFile path of a file that contains the password
     * @param certificate whether the user authenticates by a client certificate whose common name is the user's name
     * @param role role of the user, which determines what the user may do
     */
    public record UserProperties(
            @Nullable String password,
            @Nullable Path passwordFile,
            @DefaultValue("false") boolean certificate,
            @Nullable AccessRole role) {

        /** Returns the role alone, without the password. */
        @Override
        public String toString() {
            return String.valueOf(role);
        }
    }
}
