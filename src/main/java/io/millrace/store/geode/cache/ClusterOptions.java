package io.millrace.store.geode.cache;

import io.millrace.store.geode.access.User;
import io.millrace.store.region.BlockKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a process takes part in a cluster: as a member that stores data, as a locator, or as a client.
 *
 * @param name of the member in the cluster, null for a name that Geode generates
 * @param locators addresses of the cluster's locators, at least one
 * @param reachedAt of a client: addresses to connect to instead of those that members advertise, where they differ
 * @param bindAddress to listen on, null for all
 * @param publicAddress that is advertised to others, null for the bind address
 * @param port that serves clients; of a locator, the port that serves all connections
 * @param memberTimeout time without a message from a member after which the others check whether it is alive
 * @param zone redundancy zone; members of one zone store no two copies of a value; null for none
 * @param tls keys and certificates that secure all connections, null for plain connections
 * @param credentials to authenticate with, null if the cluster requires none
 * @param users allowed to connect, by name; empty if no authentication is required
 * @param jmxPort of a locator: port of the JMX manager for tools such as gfsh, 0 for none
 * @param putsInFlight of a client: maximum number of blocks in flight for each writer of a region
 * @param takeoverAfter time without a sign of life of a process after which another process takes over its pipelines
 */
public record ClusterOptions(
        @Nullable String name,
        List<Address> locators,
        Map<Address, Address> reachedAt,
        @Nullable String bindAddress,
        @Nullable String publicAddress,
        int port,
        Duration memberTimeout,
        @Nullable String zone,
        @Nullable Tls tls,
        @Nullable Credentials credentials,
        Map<String, User> users,
        int jmxPort,
        int putsInFlight,
        Duration takeoverAfter) {

    /** The default time without a sign of life after which a process loses its pipelines. */
    public static final Duration DEFAULT_TAKEOVER_AFTER = Duration.ofSeconds(5);

    public ClusterOptions {
        locators = List.copyOf(locators);
        reachedAt = Map.copyOf(reachedAt);
        users = Map.copyOf(users);
        if (locators.isEmpty()) {
            throw new IllegalArgumentException("Missing locators. Use at least one address.");
        }
        if (putsInFlight < 1 || putsInFlight > BlockKey.MAX_IN_FLIGHT) {
            throw new IllegalArgumentException(
                    "Invalid number of puts in flight: " + putsInFlight + ". Use 1 to " + BlockKey.MAX_IN_FLIGHT + ".");
        }
    }

    /** Returns options of a client of a cluster without authentication, over plain connections. */
    public static ClusterOptions client(List<Address> locators) {
        return client(locators, null, null);
    }

    /**
     * Returns options of a client of a cluster.
     *
     * @param tls keys and certificates that secure all connections, null for plain connections
     * @param credentials to authenticate with, null if the cluster requires none
     */
    public static ClusterOptions client(List<Address> locators, @Nullable Tls tls, @Nullable Credentials credentials) {
        return new ClusterOptions(
                null,
                locators,
                Map.of(),
                null,
                null,
                0,
                Duration.ofSeconds(5),
                null,
                tls,
                credentials,
                Map.of(),
                0,
                1,
                DEFAULT_TAKEOVER_AFTER);
    }

    /** Returns whether members encrypt the datagrams that they send to each other. */
    public boolean encryptsDatagrams() {
        return tls != null;
    }

    public record Address(String host, int port) {

        private static final int HIGHEST_PORT = 65_535;

        /**
         * Returns the address that a text such as {@code host:10334} describes.
         *
         * @throws IllegalArgumentException if the text does not have this form
         */
        public static Address parse(String text) {
            int colon = text.lastIndexOf(':');
            try {
                int port = Integer.parseInt(text.substring(colon + 1).strip());
                if (colon > 0 && port > 0 && port <= HIGHEST_PORT) {
                    return new Address(text.substring(0, colon).strip(), port);
                }
            } catch (NumberFormatException _) {
                // Reported below, like all other invalid addresses.
            }
            throw new IllegalArgumentException("Invalid address '" + text + "'. Use host:port.");
        }

        /** Returns the address in Geode's notation. */
        @Override
        public String toString() {
            return host + "[" + port + "]";
        }
    }

    /** A user name and a password. */
    public record Credentials(String name, String password) {

        /** Returns the name, without the password. */
        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * The TLS keys of a process and the certificates that it trusts.
     *
     * @param keys file with this process' key, PKCS #12
     * @param trust file with the trusted certificates, PKCS #12
     * @param password of both files
     */
    public record Tls(Path keys, Path trust, String password) {

        /** Returns the path of the key file, without the password. */
        @Override
        public String toString() {
            return keys.toString();
        }
    }
}
