package io.millrace.store.geode.access;

import io.millrace.store.geode.guard.AuthenticatedClients;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.Principal;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.apache.geode.LogWriter;
import org.apache.geode.distributed.DistributedMember;
import org.apache.geode.security.AuthenticationFailedException;
import org.apache.geode.security.Authenticator;

/**
 * Authenticates clients and members by password; only users with role {@link UserRole#MEMBER} may join as members. If
 * no users are configured, every client is accepted, but {@link ClientAccess} still limits it. Geode creates one on
 * each locator and server by the name of a method here, and passes it the properties that begin with {@code security-}.
 * Thread-safe.
 *
 * <p>This is the older of Geode's two interfaces for authentication. The newer one, its {@code SecurityManager}, calls
 * methods that JDK 24 removed (JEP 486), and fails.
 */
@SuppressWarnings("deprecation")
public final class PasswordCheck implements Authenticator {

    public static final String PASSWORD = "security-millrace-password-";
    public static final String ROLE = "security-millrace-role-";

    private final boolean members;
    private final Map<String, User> users = new HashMap<>();

    private PasswordCheck(boolean members) {
        this.members = members;
    }

    /** Authenticates members; called by Geode. */
    public static Authenticator ofMembers() {
        return new PasswordCheck(true);
    }

    /** Authenticates clients; called by Geode. */
    public static Authenticator ofClients() {
        return new PasswordCheck(false);
    }

    @Override
    public void init(Properties security, LogWriter systemLog, LogWriter securityLog) {
        for (String property : security.stringPropertyNames()) {
            if (property.startsWith(PASSWORD)) {
                String name = property.substring(PASSWORD.length());
                UserRole role =
                        UserRole.valueOf(security.getProperty(ROLE + name).toUpperCase(Locale.ROOT));
                users.put(name, new User(security.getProperty(property), role));
            }
        }
    }

    @Override
    public Principal authenticate(Properties credentials, DistributedMember from) {
        String name = credentials.getProperty(KnownCredentials.NAME, "");
        if (users.isEmpty() && !members) {
            return known(KnownUser.ANYONE);
        }
        User user = users.get(name);
        if (user == null || !same(user.password(), credentials.getProperty(KnownCredentials.PASSWORD, ""))) {
            // Does not reveal which of the two was wrong.
            throw new AuthenticationFailedException("Unknown user or wrong password: '" + name + "'.");
        }
        if (members && user.role() != UserRole.MEMBER) {
            throw new AuthenticationFailedException(
                    "User '" + name + "' may not join the cluster as a member. Use a user with the role member.");
        }
        return known(new KnownUser(name, user.role()));
    }

    private Principal known(KnownUser user) {
        if (!members) {
            AuthenticatedClients.add(user.role() != UserRole.READER);
        }
        return user;
    }

    /** Compares in constant time, independent of where the values differ. */
    private static boolean same(String expected, String given) {
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        // no resources
    }
}
