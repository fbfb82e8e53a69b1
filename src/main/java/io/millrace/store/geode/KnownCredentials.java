package io.millrace.store.geode;

import java.util.Properties;
import org.apache.geode.distributed.DistributedMember;
import org.apache.geode.security.AuthInitialize;
import org.jspecify.annotations.Nullable;

/** Says who a client or member is; Geode makes one by the name of its method. */
public final class KnownCredentials implements AuthInitialize {

    static final String NAME = "security-username";
    static final String PASSWORD = "security-password";

    /** What Geode calls. */
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
        // holds nothing
    }
}
