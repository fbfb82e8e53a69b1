package io.millrace.kafka;

import static io.millrace.schema.ProblemCode.INVALID_VALUE;

import io.millrace.extension.ApplicationSettings;
import io.millrace.extension.PropertyCheck;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.ssl.SslBundle;

/**
 * The connection to Kafka that a Spring Boot application has: what {@link KafkaConnectionDetails} describe, otherwise
 * the properties under {@code spring.kafka}. Immutable.
 *
 * @param bootstrapServers addresses of brokers, separated by commas
 * @param properties properties of the client
 */
record KafkaDefaults(
        String bootstrapServers,
        Map<String, String> properties,
        @Nullable SslBundle sslBundle) {

    static final String PREFIX = "spring.kafka";

    /**
     * Returns the connection, or null if there is none. Addresses are required: Spring Boot's default is a broker on
     * this machine, which would hide that they are missing.
     *
     * @param own names of the client's properties that Millrace sets itself
     * @param check receives errors
     */
    static @Nullable KafkaDefaults of(ClientRole role, Set<String> own, PropertyCheck check) {
        ApplicationSettings settings = check.settings();
        try {
            KafkaConnectionDetails.Configuration details = details(role, settings);
            List<String> servers = details != null
                    ? details.getBootstrapServers()
                    : role.springServers().stream()
                            .flatMap(name -> settings.property(name, Bindable.listOf(String.class)).stream())
                            .findFirst()
                            .orElse(List.of());
            if (servers.isEmpty()) {
                return null;
            }
            KafkaProperties spring = settings.property(PREFIX, Bindable.of(KafkaProperties.class))
                    .orElseGet(KafkaProperties::new);
            Map<String, String> properties = texts(role, own, spring);
            if (details != null && details.getSecurityProtocol() != null) {
                properties.put(KafkaConnection.SECURITY_PROTOCOL, details.getSecurityProtocol());
            }
            SslBundle bundle = details != null ? details.getSslBundle() : bundle(role, spring, check);
            return new KafkaDefaults(String.join(",", servers), properties, bundle);
        } catch (BindException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            check.problem(
                    INVALID_VALUE,
                    "bootstrap-servers",
                    "Invalid property '" + e.getName() + "', which applies because this one is missing: "
                            + cause.getMessage());
            return null;
        }
    }

    /** Returns null for those that Spring Boot makes of its properties, which are read here. */
    private static KafkaConnectionDetails.@Nullable Configuration details(
            ClientRole role, ApplicationSettings settings) {
        return Optional.ofNullable(settings.connection(KafkaConnectionDetails.class))
                .filter(details -> !details.getClass().getPackage().equals(KafkaConnectionDetails.class.getPackage()))
                .map(role::connection)
                .orElse(null);
    }

    /**
     * Returns the properties that the client knows and Millrace does not set. Also not the isolation level: Spring Boot
     * always sets it, so that messages of aborted transactions would be read without anybody saying so.
     */
    private static Map<String, String> texts(ClientRole role, Set<String> own, KafkaProperties spring) {
        Map<String, ConfigDef.ConfigKey> known = role.known().configKeys();
        Map<String, String> texts = new HashMap<>();
        role.values(spring).forEach((name, value) -> {
            ConfigDef.ConfigKey key = known.get(name);
            if (key != null
                    && !own.contains(name)
                    && !name.equals(ConsumerConfig.ISOLATION_LEVEL_CONFIG)
                    && !name.equals(KafkaConnection.BOOTSTRAP_SERVERS)) {
                // Would hide a text that is a password.
                texts.put(name, value instanceof String text ? text : ConfigDef.convertToString(value, key.type));
            }
        });
        return texts;
    }

    private static @Nullable SslBundle bundle(ClientRole role, KafkaProperties spring, PropertyCheck check) {
        String name = role.sslBundle(spring);
        return name != null && check.sslBundle("ssl-bundle", name)
                ? check.settings().sslBundle(name)
                : null;
    }
}
