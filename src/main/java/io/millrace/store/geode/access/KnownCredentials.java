package io.millrace.store.geode.access;

import java.util.Properties;
import org.apache.geode.distributed.DistributedMember;
import org.apache.geode.security.AuthInitialize;
import org.jspecify.annotations.Nullable;

/** Sends the name and the password of a client or member. Geode creates one by the name of {@link #create}. */
public final class KnownCredentials implements AuthInitialize {

    public static final String NAME = "security-username";
    public static final String PASSWORD = "security-password";

    /** Called by Geode. */
    public static AuthInitialize create() {
        return new KnownCredentials();
    }

    @Override
    public Properties getCredentials(Properties security, @Nullable DistributedMember server, boolean isPeer) {
        Properties credentials = new Properties();
        credentials.setProperty(NAME, security.getProperty(NAME, ""));
        credentials.setProperty(PASSWORD, security.getProperty(PASSWORD, ""));
        return credentials;
    }

    @Override
    public void close() {
        // no resources
    }
}
