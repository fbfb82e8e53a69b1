package io.millrace.config;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.INVALID_ADDRESS;
import static io.millrace.schema.ProblemCode.INVALID_DURATION;
import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.UNREADABLE_FILE;

import io.millrace.background.DurationText;
import io.millrace.codec.file.FileErrors;
import io.millrace.config.binding.ConfigurationException;
import io.millrace.config.properties.ClusterProperties;
import io.millrace.config.properties.ClusterProperties.CredentialsProperties;
import io.millrace.config.properties.ClusterProperties.UserProperties;
import io.millrace.config.properties.Role;
import io.millrace.pipeline.definition.Problem;
import io.millrace.store.geode.access.User;
import io.millrace.store.geode.access.UserRole;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.store.geode.cache.ClusterOptions.Address;
import io.millrace.store.geode.cache.ClusterOptions.Credentials;
import io.millrace.store.geode.cache.ClusterOptions.Tls;
import io.millrace.store.region.BlockKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads and checks the properties under {@code millrace.geode}. */
final class ClusterReader {

    private static final String PREFIX = "millrace.geode.";
    private static final int SERVER_PORT = 40404;
    private static final int LOCATOR_PORT = 10334;
    private static final int HIGHEST_PORT = 65_535;

    private final ClusterProperties properties;
    private final Role role;
    private final List<String> locators;
    private static final int SHORTEST_TAKEOVER_MILLIS = 500;

    private final Map<String, String> reachedAt = new LinkedHashMap<>();
    private final Function<String, Tls> tls;
    private final List<Problem> problems = new ArrayList<>();

    /**
     * @param connections connections to the cluster, all of whose locators are used
     * @param tls function that converts an SSL bundle, given by its name, for Geode
     */
    ClusterReader(
            ClusterProperties properties,
            Role role,
            List<GeodeConnectionDetails> connections,
            Function<String, Tls> tls) {
        this.properties = properties;
        this.role = role;
        this.locators = connections.stream()
                .flatMap(connection -> connection.locators().stream())
                .toList();
        connections.forEach(connection -> reachedAt.putAll(connection.reachedAt()));
        this.tls = tls;
    }

    /**
     * Returns the options, or null for an ingest process without locators, which uses no cluster.
     *
     * @throws ConfigurationException with all problems
     */
    @Nullable
    ClusterOptions read() {
        if (locators.isEmpty() && role == Role.INGEST) {
            return null;
        }
        if (locators.isEmpty()) {
            problem("locators", MISSING_VALUE.message("Missing value: host:port of each locator of the cluster."));
        }
        List<Address> addresses = locators.stream().map(this::address).toList();
        Map<Address, Address> reached = new LinkedHashMap<>();
        reachedAt.forEach((announced, reachable) -> reached.put(address(announced), address(reachable)));
        between("port", properties.port(), 0, HIGHEST_PORT);
        between("jmx-port", properties.jmxPort(), 0, HIGHEST_PORT);
        between("puts-in-flight", properties.putsInFlight(), 1, BlockKey.MAX_IN_FLIGHT);
        if (properties.takeoverAfter().toMillis() < SHORTEST_TAKEOVER_MILLIS) {
            problem(
                    "takeover-after",
                    INVALID_DURATION.message("Invalid duration '" + DurationText.of(properties.takeoverAfter())
                            + "'. Use " + SHORTEST_TAKEOVER_MILLIS
                            + "ms or more: a shorter one would replace busy processes."));
        }
        Credentials credentials = credentials();
        Map<String, User> users = users();
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        String bundle = properties.sslBundle();
        return new ClusterOptions(
                properties.name(),
                addresses,
                reached,
                properties.bindAddress(),
                properties.publicAddress(),
                port(),
                properties.memberTimeout(),
                properties.redundancyZone(),
                bundle == null ? null : tls.apply(bundle),
                credentials,
                users,
                properties.jmxPort(),
                properties.putsInFlight(),
                properties.takeoverAfter());
    }

    private int port() {
        if (properties.port() > 0) {
            return properties.port();
        }
        return role == Role.LOCATOR ? LOCATOR_PORT : SERVER_PORT;
    }

    private Address address(String text) {
        try {
            return Address.parse(text);
        } catch (IllegalArgumentException _) {
            problem("locators", INVALID_ADDRESS.message("Invalid address '" + text + "'. Use host:port."));
            return new Address("?", LOCATOR_PORT);
        }
    }

    private @Nullable Credentials credentials() {
        CredentialsProperties given = properties.credentials();
        if (given == null) {
            return null;
        }
        String password = password("credentials", given.password(), given.passwordFile());
        if (given.name() == null || password == null) {
            problem("credentials", MISSING_VALUE.message("Missing value: 'name', and 'password' or 'password-file'."));
            return null;
        }
        return new Credentials(given.name(), password);
    }

    private Map<String, User> users() {
        Map<String, User> users = new LinkedHashMap<>();
        properties.users().forEach((name, user) -> users.put(name, user(name, user)));
        return users;
    }

    private User user(String name, UserProperties given) {
        String password = password("users." + name, given.password(), given.passwordFile());
        UserRole userRole = given.role();
        if (password == null || userRole == null) {
            problem(
                    "users." + name,
                    MISSING_VALUE.message("Missing value: 'password' or 'password-file', and 'role', which is member,"
                            + " ingest or reader."));
            return new User("", UserRole.READER);
        }
        return new User(password, userRole);
    }

    /** Returns a password, or that of a file without white space at its end; null if there is neither. */
    private @Nullable String password(String property, @Nullable String password, @Nullable Path file) {
        if (file == null) {
            return password;
        }
        if (password != null) {
            problem(
                    property,
                    CONFLICTING_PROPERTIES.message("Too many properties. Use either 'password' or 'password-file'."));
        }
        try {
            String text = Files.readString(file).stripTrailing();
            if (text.isEmpty()) {
                problem(property, UNREADABLE_FILE.message("Empty file: '" + file + "'. Write the password into it."));
            }
            return text;
        } catch (IOException e) {
            problem(property + ".password-file", UNREADABLE_FILE.message(FileErrors.describe(file.toString(), e)));
            return "";
        }
    }

    private void between(String name, double value, int least, int most) {
        if (value < least || value > most) {
            problem(
                    name,
                    INVALID_NUMBER.message(
                            "Invalid number '" + (long) value + "'. Use " + least + " to " + most + "."));
        }
    }

    private void problem(String name, String message) {
        problems.add(new Problem(PREFIX + name, message));
    }
}
