package io.millrace.config;

import io.millrace.web.access.AccessRole;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who may use the HTTP interface.
 *
 * @param open whether everyone may do everything; without users or an issuer of tokens, that is so on loopback
 *     addresses, and has to be said for others
 * @param users by name
 * @param rolesClaim claim of tokens that holds their roles
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
     * @param role what the user may do
     */
    public record UserProperties(
            @Nullable String password,
            @Nullable Path passwordFile,
            @Nullable AccessRole role) {

        /** Without the password. */
        @Override
        public String toString() {
            return String.valueOf(role);
        }
    }
}
