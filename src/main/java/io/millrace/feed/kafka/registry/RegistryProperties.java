package io.millrace.feed.kafka.registry;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of messages whose values begin with the ID of a schema.
 *
 * @param format form of the ID: confluent for 0 and four bytes, apicurio for 0 and eight bytes
 * @param url address of the schema registry, such as http://registry:8081. Without it, IDs are not looked up
 * @param user name of a user of the registry
 * @param password password of the user
 * @param sslBundle name of an SSL bundle under spring.ssl.bundle, for an address with https
 * @param timeout time in which the registry has to respond
 */
public record RegistryProperties(
        @Nullable RegistryFormat format,
        @Nullable String url,
        @Nullable String user,
        @Nullable String password,
        @Nullable String sslBundle,
        @DefaultValue("5s") Duration timeout) {

    /** Returns a text without the password. */
    @Override
    public String toString() {
        return "registry[format=" + format + ", url=" + url + "]";
    }
}
