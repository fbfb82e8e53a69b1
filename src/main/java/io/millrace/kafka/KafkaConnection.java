package io.millrace.kafka;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.INVALID_ADDRESS;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.NO_EFFECT;

import io.millrace.extension.PropertyCheck;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SslConfigs;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.kafka.autoconfigure.SslBundleSslEngineFactory;
import org.springframework.boot.ssl.SslBundle;

/**
 * The address of a cluster of Kafka, and how clients connect to it. Immutable.
 *
 * @param bootstrapServers addresses of some brokers, {@code HOST:PORT}, separated by commas
 * @param properties properties of Kafka's clients, such as those of SASL and TLS
 * @param sslBundle keys and trusted certificates of the connection; null for those of the properties
 */
public record KafkaConnection(
        String bootstrapServers,
        Map<String, String> properties,
        @Nullable SslBundle sslBundle) {

    static final String BOOTSTRAP_SERVERS = CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG;
    static final String SECURITY_PROTOCOL = CommonClientConfigs.SECURITY_PROTOCOL_CONFIG;

    public KafkaConnection {
        properties = Map.copyOf(properties);
    }

    /** Creates a connection without an SSL bundle. */
    public KafkaConnection(String bootstrapServers, Map<String, String> properties) {
        this(bootstrapServers, properties, null);
    }

    /**
     * Checks the properties of a connection. Connects to nothing. Without addresses, the connection is that of the
     * application, with other properties where they are given.
     *
     * @param sslBundle name of an SSL bundle; null for none
     * @param own names of the client's properties that Millrace sets itself
     * @return the connection, or null after an error was reported without which there is none
     */
    public static @Nullable KafkaConnection define(
            @Nullable String bootstrapServers,
            Map<String, String> properties,
            @Nullable String sslBundle,
            ClientRole role,
            Set<String> own,
            PropertyCheck check) {
        checkProperties(properties, role.known(), own, check);
        SslBundle bundle = sslBundle != null && check.sslBundle("ssl-bundle", sslBundle)
                ? check.settings().sslBundle(sslBundle)
                : null;
        if (bootstrapServers != null && !bootstrapServers.isBlank()) {
            return define(bootstrapServers, properties, bundle, check);
        }
        KafkaDefaults defaults = KafkaDefaults.of(role, own, check);
        if (defaults == null) {
            check.problem(
                    MISSING_VALUE,
                    "bootstrap-servers",
                    "Missing value: the addresses of brokers, such as kafka-1:9092.");
            return null;
        }
        Map<String, String> merged = new HashMap<>(defaults.properties());
        if (bundle != null) {
            merged.keySet().removeIf(KafkaConnection::isOfTls);
        }
        merged.putAll(properties);
        return define(defaults.bootstrapServers(), merged, bundle == null ? defaults.sslBundle() : bundle, check);
    }

    private static KafkaConnection define(
            String bootstrapServers,
            Map<String, String> properties,
            @Nullable SslBundle sslBundle,
            PropertyCheck check) {
        for (String address : bootstrapServers.split(",", -1)) {
            if (!isAddress(address.strip())) {
                check.problem(
                        INVALID_ADDRESS,
                        "bootstrap-servers",
                        "Invalid address '" + address.strip() + "'. Use HOST:PORT, such as kafka-1:9092.");
            }
        }
        if (sslBundle != null) {
            checkTls(properties, check);
        }
        return new KafkaConnection(bootstrapServers, properties, sslBundle);
    }

    private static void checkProperties(
            Map<String, String> properties, ConfigDef known, Set<String> own, PropertyCheck check) {
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
    }

    private static void checkTls(Map<String, String> properties, PropertyCheck check) {
        String protocol = properties.getOrDefault(SECURITY_PROTOCOL, "SSL");
        if (!protocol.toUpperCase(Locale.ROOT).endsWith("SSL")) {
            check.problem(
                    CONFLICTING_PROPERTIES,
                    "ssl-bundle",
                    "An SSL bundle can't be used with 'security.protocol: " + protocol + "'. Use SSL or SASL_SSL.");
        }
        properties.keySet().stream()
                .filter(KafkaConnection::isOfTls)
                .sorted()
                .forEach(name -> check.problem(
                        NO_EFFECT,
                        "properties",
                        "'" + name + "' has no effect with an SSL bundle. Set it in the bundle, and remove it here."));
    }

    /** Returns whether an SSL bundle has it instead. The check of the host's name belongs to no bundle. */
    private static boolean isOfTls(String property) {
        return property.startsWith("ssl.") && !property.equals(SslConfigs.SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG);
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
        settings.putAll(tls());
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
        settings.putAll(tls());
        return settings;
    }

    private Map<String, Object> tls() {
        return sslBundle == null
                ? Map.of()
                : Map.of(
                        SECURITY_PROTOCOL,
                        properties.getOrDefault(SECURITY_PROTOCOL, "SSL"),
                        SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG,
                        SslBundleSslEngineFactory.class,
                        SslBundle.class.getName(),
                        sslBundle);
    }

    /** Returns a text without the properties, which can contain secrets. */
    @Override
    public String toString() {
        return bootstrapServers;
    }
}
