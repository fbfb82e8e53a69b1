package io.millrace.store.geode;

import io.millrace.store.BlockKey;
import io.millrace.store.geode.access.User;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a process takes part in a cluster: as a member that keeps data, as a locator, or as a client.
 *
 * @param name of the member in the cluster, null for one that Geode makes up
 * @param locators where the cluster is found, at least one
 * @param reachedAt of a client: where it reaches addresses that members tell, as far as that is elsewhere
 * @param bindAddress that it listens on, null for all
 * @param publicAddress that others are told to reach it at, null for the one that it is bound to
 * @param port that it serves clients on, or as a locator everyone
 * @param memberTimeout for how long a member may say nothing until the others look whether it is there still
 * @param zone members of one zone keep no two copies of a value, null where it makes no difference
 * @param tls what secures all connections, null where they are plain
 * @param credentials what it says to be let in, null where nobody asks
 * @param users whom it lets in, by name; empty where it asks nobody
 * @param jmxPort of a locator: where tools such as gfsh are served, 0 for nowhere
 * @param putsInFlight of a client: how many blocks each writer of a region may have on their way at a time
 * @param takeoverAfter how long a process may show no sign of life until another one takes its pipelines over
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

    /** How long a process may show no sign of life unless configured otherwise. */
    public static final Duration DEFAULT_TAKEOVER_AFTER = Duration.ofSeconds(5);

    public ClusterOptions {
        locators = List.copyOf(locators);
        reachedAt = Map.copyOf(reachedAt);
        users = Map.copyOf(users);
        if (locators.isEmpty()) {
            throw new IllegalArgumentException("a cluster is found by its locators, at least one");
        }
        if (putsInFlight < 1 || putsInFlight > BlockKey.MAX_IN_FLIGHT) {
            throw new IllegalArgumentException(
                    "putsInFlight=" + putsInFlight + " is not between 1 and " + BlockKey.MAX_IN_FLIGHT);
        }
    }

    /** A client of a cluster that lets in everyone, over plain connections. */
    public static ClusterOptions client(List<Address> locators) {
        return client(locators, null, null);
    }

    /**
     * A client of a cluster.
     *
     * @param tls what secures all connections, null where they are plain
     * @param credentials what it says to be let in, null where nobody asks
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

    /** A host and a port. */
    public record Address(String host, int port) {

        private static final int HIGHEST_PORT = 65_535;

        /**
         * The address that a text such as {@code host:10334} tells.
         *
         * @throws IllegalArgumentException where it is not of this form
         */
        public static Address parse(String text) {
            int colon = text.lastIndexOf(':');
            try {
                int port = Integer.parseInt(text.substring(colon + 1).strip());
                if (colon > 0 && port > 0 && port <= HIGHEST_PORT) {
                    return new Address(text.substring(0, colon).strip(), port);
                }
            } catch (NumberFormatException _) {
                // Told below, as whatever else is no address.
            }
            throw new IllegalArgumentException("address=" + text + " is no host:port");
        }

        /** As Geode writes it. */
        @Override
        public String toString() {
            return host + "[" + port + "]";
        }
    }

    /** A name and a password. */
    public record Credentials(String name, String password) {

        /** Without the password. */
        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * Keys, and whom to trust.
     *
     * @param keys file of this process' key, PKCS #12
     * @param trust file of the certificates that it trusts, PKCS #12
     * @param password of both files
     */
    public record Tls(Path keys, Path trust, String password) {

        /** Without the password. */
        @Override
        public String toString() {
            return keys.toString();
        }
    }
}
