package io.millrace.store.geode;

import io.millrace.store.geode.ClusterOptions.Role;
import io.millrace.store.geode.ClusterOptions.User;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.apache.geode.security.AuthenticationFailedException;
import org.apache.geode.security.ResourcePermission;
import org.apache.geode.security.SecurityManager;

/**
 * Lets in those who know their password, and clients to records only. Geode makes one by its name on each locator and
 * server, and gives it the properties that begin with {@code security-}. Thread-safe.
 */
public final class PasswordCheck implements SecurityManager {

    static final String PASSWORD = "security-millrace-password-";
    static final String ROLE = "security-millrace-role-";

    private final Map<String, User> users = new HashMap<>();

    /** Who was let in. */
    record Principal(String name, Role role) implements Serializable {}

    @Override
    public void init(Properties security) {
        for (String property : security.stringPropertyNames()) {
            if (property.startsWith(PASSWORD)) {
                String name = property.substring(PASSWORD.length());
                Role role = Role.valueOf(security.getProperty(ROLE + name).toUpperCase(Locale.ROOT));
                users.put(name, new User(security.getProperty(property), role));
            }
        }
    }

    @Override
    public Object authenticate(Properties credentials) {
        String name = credentials.getProperty(USER_NAME, "");
        User user = users.get(name);
        if (user == null || !same(user.password(), credentials.getProperty(SecurityManager.PASSWORD, ""))) {
            // Not which of both was wrong.
            throw new AuthenticationFailedException("user=" + name + " is not known, or the password is wrong");
        }
        return new Principal(name, user.role());
    }

    /** Takes the same time wherever they differ. */
    private static boolean same(String expected, String given) {
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public boolean authorize(Object principal, ResourcePermission permission) {
        return principal instanceof Principal(String ignoredName, Role role)
                && (role == Role.MEMBER || permission.getResource() == ResourcePermission.Resource.DATA);
    }
}
