package io.millrace.store.geode;

import io.millrace.store.geode.ClusterOptions.Role;
import io.millrace.store.geode.ClusterOptions.User;
import java.io.Serializable;
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
 * Lets in those who know their password, and to the members only those that are to be one. Geode makes one by the name
 * of its method on each locator and server, and gives it the properties that begin with {@code security-}. Thread-safe.
 *
 * <p>Of Geode's two ways to ask for passwords this is the older one: the newer, its {@code SecurityManager}, calls what
 * JDK 24 took away (JEP 486), and fails.
 */
@SuppressWarnings("deprecation")
public final class PasswordCheck implements Authenticator {

    static final String PASSWORD = "security-millrace-password-";
    static final String ROLE = "security-millrace-role-";

    private final boolean members;
    private final Map<String, User> users = new HashMap<>();

    /** Who was let in. */
    private record Known(String name) implements Principal, Serializable {

        @Override
        public String getName() {
            return name;
        }
    }

    private PasswordCheck(boolean members) {
        this.members = members;
    }

    /** Checks who wants to be a member; what Geode calls. */
    public static Authenticator ofMembers() {
        return new PasswordCheck(true);
    }

    /** Checks clients; what Geode calls. */
    public static Authenticator ofClients() {
        return new PasswordCheck(false);
    }

    @Override
    public void init(Properties security, LogWriter systemLog, LogWriter securityLog) {
        for (String property : security.stringPropertyNames()) {
            if (property.startsWith(PASSWORD)) {
                String name = property.substring(PASSWORD.length());
                Role role = Role.valueOf(security.getProperty(ROLE + name).toUpperCase(Locale.ROOT));
                users.put(name, new User(security.getProperty(property), role));
            }
        }
    }

    @Override
    public Principal authenticate(Properties credentials, DistributedMember from) {
        String name = credentials.getProperty(KnownCredentials.NAME, "");
        User user = users.get(name);
        if (user == null || !same(user.password(), credentials.getProperty(KnownCredentials.PASSWORD, ""))) {
            // Not which of both was wrong.
            throw new AuthenticationFailedException("user=" + name + " is not known, or the password is wrong");
        }
        if (members && user.role() != Role.MEMBER) {
            throw new AuthenticationFailedException("user=" + name + " may not be a member of the cluster");
        }
        return new Known(name);
    }

    /** Takes the same time wherever they differ. */
    private static boolean same(String expected, String given) {
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        // holds nothing
    }
}
