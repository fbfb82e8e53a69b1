package io.millrace.kafka;

import static io.millrace.schema.ProblemCode.INVALID_ADDRESS;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.NO_EFFECT;

import io.millrace.extension.PropertyCheck;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;

/**
 * The address of a cluster of Kafka, and how clients connect to it. Immutable.
 *
 * @param bootstrapServers addresses of some brokers, {@code HOST:PORT}, separated by commas
 * @param properties properties of Kafka's clients, such as those of SASL and TLS
 */
public record KafkaConnection(String bootstrapServers, Map<String, String> properties) {

    private static final String BOOTSTRAP_SERVERS = "bootstrap.servers";

    public KafkaConnection {
        properties = Map.copyOf(properties);
    }

    /**
     * Checks the properties of a connection. Connects to nothing.
     *
     * @param own names of the clients' properties that Millrace sets itself
     * @param known all properties of the clients
     * @return the connection, or null after an error was reported without which there is none
     */
    public static @Nullable KafkaConnection define(
            @Nullable String bootstrapServers,
            Map<String, String> properties,
            Set<String> own,
            ConfigDef known,
            PropertyCheck check) {
        for (String name : new TreeSet<>(properties.keySet())) {
            if (own.contains(name) || name.equals(BOOTSTRAP_SERVERS)) {
                check.problem(
                        NO_EFFECT, "properties", "'" + name + "' is set by Millrace. Remove it from 'properties'.");
            } else if (!known.names().contains(name)) {
                check.problem(
                        INVALID_VALUE, "properties", "Unknown property '" + name + "' of Kafka's client. Remove it.");
            }
        }
        known.validate(properties).stream()
                .filter(value -> properties.containsKey(value.name()) && !own.contains(value.name()))
                .flatMap(value -> value.errorMessages().stream().limit(1)) // others follow from it
                .forEach(message -> check.problem(INVALID_VALUE, "properties", message + "."));
        if (bootstrapServers == null || bootstrapServers.isBlank()) {
            check.problem(
                    MISSING_VALUE,
                    "bootstrap-servers",
                    "Missing value: the addresses of brokers, such as kafka-1:9092.");
            return null;
        }
        for (String address : bootstrapServers.split(",", -1)) {
            if (!isAddress(address.strip())) {
                check.problem(
                        INVALID_ADDRESS,
                        "bootstrap-servers",
                        "Invalid address '" + address.strip() + "'. Use HOST:PORT, such as kafka-1:9092.");
            }
        }
        return new KafkaConnection(bootstrapServers, properties);
    }

    private static boolean isAddress(String address) {
        int colon = address.lastIndexOf(':');
        if (colon < 1) {
            return false;
        }
        try {
            int port = Integer.parseInt(address.substring(colon + 1));
            return port > 0 && port < 1 << 16;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** Returns the settings of a client: those of the connection and others. */
    public Map<String, Object> settings(Map<String, ?> others) {
        Map<String, Object> settings = new HashMap<>(properties);
        settings.put(BOOTSTRAP_SERVERS, bootstrapServers);
        settings.putAll(others);
        return settings;
    }

    /**
     * Returns the settings of an administrative client with the same connection.
     *
     * @param clientId name of the client in the logs of brokers
     * @param timeout of a request with its retries
     */
    public Map<String, Object> adminSettings(String clientId, Duration timeout) {
        int millis = Math.toIntExact(timeout.toMillis());
        Map<String, Object> settings = settings(Map.of(
                AdminClientConfig.CLIENT_ID_CONFIG,
                clientId,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                millis,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                millis));
        settings.keySet().retainAll(AdminClientConfig.configNames());
        return settings;
    }

    /** Returns a text without the properties, which can contain secrets. */
    @Override
    public String toString() {
        return bootstrapServers;
    }
}
