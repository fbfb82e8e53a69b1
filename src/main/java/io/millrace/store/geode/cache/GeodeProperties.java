package io.millrace.store.geode.cache;

import io.millrace.store.geode.access.ClientAccess;
import io.millrace.store.geode.access.DeserializationFilter;
import io.millrace.store.geode.access.KnownCredentials;
import io.millrace.store.geode.access.PasswordCheck;
import io.millrace.store.geode.cache.ClusterOptions.Credentials;
import io.millrace.store.geode.cache.ClusterOptions.Tls;
import io.millrace.store.geode.guard.SocketBuffers;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Collectors;

/** Translates options into Geode properties. */
public final class GeodeProperties {

    private static final String TOMBSTONE_MILLIS = "120000";
    private static final String TOMBSTONE_GC_THRESHOLD = "1000";
    /** TLS does not apply to datagrams, in which a member sends its password to join. */
    private static final String DATAGRAM_CIPHER = "AES:256";

    private static final String FIRST_BYTE_TIMEOUT = "BridgeServer.acceptTimeout";
    private static final String HANDSHAKE_THREADS = "256";
    private static final int FIRST_BYTE_TIMEOUT_MS = 3_000;
    private static final String HANDSHAKE_TIMEOUT_MS = "10000";
    private static final String HEAP_POOL = "gemfire.ResourceManager.HEAP_POOL";
    private static final String LOOPBACK = "127.0.0.1";
    private static final String ZGC_OLD_GENERATION = "ZGC Old Generation";

    private GeodeProperties() {}

    /**
     * Returns properties of a single Geode in this process: no locator, no discovery, no management, no listening port.
     */
    static Properties alone(GeodeMemory memory) {
        Properties properties = common();
        limit(properties, memory);
        properties.setProperty("name", "millrace");
        properties.setProperty("locators", "");
        properties.setProperty("jmx-manager", "false");
        properties.setProperty("use-cluster-configuration", "false");
        return properties;
    }

    /** Returns properties of a member that stores data. */
    static Properties server(ClusterOptions options, GeodeMemory memory) {
        Properties properties = member(options);
        limit(properties, memory);
        properties.setProperty("locators", locators(options));
        properties.setProperty("jmx-manager", "false");
        properties.setProperty("use-cluster-configuration", "false");
        return properties;
    }

    /** Returns properties of a locator. */
    public static Properties locator(ClusterOptions options) {
        Properties properties = member(options);
        properties.setProperty("locators", locators(options));
        properties.setProperty("jmx-manager", String.valueOf(options.jmxPort() > 0));
        properties.setProperty("jmx-manager-start", String.valueOf(options.jmxPort() > 0));
        properties.setProperty("jmx-manager-port", String.valueOf(options.jmxPort()));
        // A client of this port controls the JVM, and the port knows no users, so only this machine reaches it.
        properties.setProperty("jmx-manager-bind-address", LOOPBACK);
        properties.setProperty("jmx-manager-hostname-for-clients", LOOPBACK);
        return properties;
    }

    /** Returns properties of a client, whose pool locates the cluster. */
    public static Properties client(ClusterOptions options) {
        Properties properties = quiet();
        secure(properties, options);
        // Also set without a user name: a server that receives no credentials would not authorize the client's
        // operations.
        properties.setProperty("security-client-auth-init", KnownCredentials.class.getName() + ".create");
        return properties;
    }

    private static Properties member(ClusterOptions options) {
        boundHandshakes();
        Properties properties = common();
        if (options.name() != null) {
            properties.setProperty("name", options.name());
        }
        if (options.bindAddress() != null) {
            properties.setProperty("bind-address", options.bindAddress());
        }
        if (options.zone() != null) {
            properties.setProperty("redundancy-zone", options.zone());
        }
        properties.setProperty(
                "member-timeout", String.valueOf(options.memberTimeout().toMillis()));
        properties.setProperty("socket-buffer-size", String.valueOf(SocketBuffers.MEMBER_BYTES));
        // Millrace restarts a member completely, including its regions, after a forced disconnect.
        properties.setProperty("disable-auto-reconnect", "true");
        secure(properties, options);
        if (options.encryptsDatagrams()) {
            properties.setProperty("security-udp-dhalgo", DATAGRAM_CIPHER);
        }
        if (options.credentials() != null) {
            properties.setProperty("security-peer-auth-init", KnownCredentials.class.getName() + ".create");
        }
        properties.setProperty("security-client-authenticator", PasswordCheck.class.getName() + ".ofClients");
        properties.setProperty("security-client-accessor", ClientAccess.class.getName() + ".create");
        if (!options.users().isEmpty()) {
            properties.setProperty("security-peer-authenticator", PasswordCheck.class.getName() + ".ofMembers");
            options.users().forEach((name, user) -> {
                properties.setProperty(PasswordCheck.PASSWORD + name, user.password());
                properties.setProperty(
                        PasswordCheck.ROLE + name, user.role().name().toLowerCase(Locale.ROOT));
            });
        }
        return properties;
    }

    private static void secure(Properties properties, ClusterOptions options) {
        Credentials credentials = options.credentials();
        if (credentials != null) {
            properties.setProperty(KnownCredentials.NAME, credentials.name());
            properties.setProperty(KnownCredentials.PASSWORD, credentials.password());
        }
        Tls tls = options.tls();
        if (tls != null) {
            properties.setProperty("ssl-enabled-components", "all");
            properties.setProperty("ssl-require-authentication", "true");
            properties.setProperty("ssl-keystore", tls.keys().toString());
            properties.setProperty("ssl-keystore-type", "PKCS12");
            properties.setProperty("ssl-keystore-password", tls.password());
            properties.setProperty("ssl-truststore", tls.trust().toString());
            properties.setProperty("ssl-truststore-type", "PKCS12");
            properties.setProperty("ssl-truststore-password", tls.password());
        }
    }

    private static void limit(Properties properties, GeodeMemory memory) {
        if (memory.offHeapMegabytes() > 0) {
            properties.setProperty("off-heap-memory-size", memory.offHeapMegabytes() + "m");
        }
    }

    private static Properties common() {
        Properties properties = quiet();
        properties.setProperty("mcast-port", "0");
        properties.setProperty("http-service-port", "0");
        properties.setProperty("enable-cluster-configuration", "false");
        // Geode requires a writable directory at start, although nothing is ever deployed.
        properties.setProperty("deploy-working-dir", System.getProperty("java.io.tmpdir"));
        return properties;
    }

    private static Properties quiet() {
        // Geode's shutdown hook would close it while pipelines still flush; its owner closes it.
        System.setProperty("gemfire.disableShutdownHook", "true");
        setHeapPool();
        shortenTombstoneTimeout();
        Properties properties = new Properties();
        properties.setProperty("log-level", "warning");
        properties.setProperty("statistic-sampling-enabled", "false");
        properties.setProperty("enable-time-statistics", "false");
        properties.setProperty("validate-serializable-objects", "true");
        properties.setProperty("serializable-object-filter", DeserializationFilter.OWN);
        return properties;
    }

    /**
     * Sets the memory pool to monitor: Geode recognizes the old generation of generational ZGC only by name, and would
     * otherwise never detect that the heap is full.
     */
    private static void setHeapPool() {
        boolean zgc = ManagementFactory.getMemoryPoolMXBeans().stream()
                .anyMatch(pool -> pool.getName().equals(ZGC_OLD_GENERATION));
        if (zgc && System.getProperty(HEAP_POOL) == null) {
            System.setProperty(HEAP_POOL, ZGC_OLD_GENERATION);
        }
    }

    /**
     * Sets how long servers retain tombstones of removed keys. With Geode's defaults, ten minutes and then until
     * 100,000 have expired, the files of removed blocks stay on disk for that long.
     */
    private static void shortenTombstoneTimeout() {
        setIfAbsent("gemfire.tombstone-timeout", TOMBSTONE_MILLIS);
        setIfAbsent("gemfire.tombstone-gc-threshold", TOMBSTONE_GC_THRESHOLD);
    }

    /**
     * Sets how many new connections a server or locator serves at a time, and for how long. With Geode's defaults, 100
     * connections that send nothing occupy a locator for a minute, and 4 a server with TLS for ten seconds. Without
     * TLS, {@link ServerSockets} limits them.
     */
    private static void boundHandshakes() {
        setIfAbsent("BridgeServer.HANDSHAKE_POOL_SIZE", HANDSHAKE_THREADS);
        setIfAbsent(FIRST_BYTE_TIMEOUT, Integer.toString(FIRST_BYTE_TIMEOUT_MS));
        setIfAbsent("BridgeServer.handShakeTimeout", HANDSHAKE_TIMEOUT_MS);
        setIfAbsent("gemfire.TcpServer.MAX_POOL_SIZE", HANDSHAKE_THREADS);
        setIfAbsent("gemfire.TcpServer.READ_TIMEOUT", Integer.toString(FIRST_BYTE_TIMEOUT_MS));
    }

    /** Returns how long a server waits for the first byte of a new connection, in milliseconds. */
    static int firstByteTimeoutMillis() {
        return Integer.getInteger(FIRST_BYTE_TIMEOUT, FIRST_BYTE_TIMEOUT_MS);
    }

    private static void setIfAbsent(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    private static String locators(ClusterOptions options) {
        return options.locators().stream().map(Object::toString).collect(Collectors.joining(","));
    }
}
