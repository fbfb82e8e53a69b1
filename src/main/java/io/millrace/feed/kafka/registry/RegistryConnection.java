package io.millrace.feed.kafka.registry;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.INVALID_ADDRESS;
import static io.millrace.schema.ProblemCode.INVALID_DURATION;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.NO_EFFECT;

import io.millrace.extension.PropertyCheck;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The address of a schema registry, and how it is reached. Immutable.
 *
 * @param url without a slash at its end
 * @param authorization value of the header of this name; null for none
 * @param tls keys and trusted certificates; null for those of the JVM
 * @param timeout of a request
 */
public record RegistryConnection(
        URI url, @Nullable String authorization, @Nullable SSLContext tls, Duration timeout) {

    private static final String PROPERTY = "registry.";

    /**
     * Checks the properties of messages with schema IDs. Connects to nothing.
     *
     * @return the connection, or null if IDs are not looked up, or after an error was reported
     */
    public static @Nullable RegistryConnection define(RegistryProperties properties, PropertyCheck check) {
        if (properties.format() == null) {
            check.problem(MISSING_VALUE, PROPERTY + "format", "Missing value: confluent or apicurio.");
        }
        if (properties.timeout().compareTo(Duration.ofMillis(1)) < 0) {
            check.problem(
                    INVALID_DURATION,
                    PROPERTY + "timeout",
                    "Invalid duration '" + properties.timeout().toMillis() + "ms'. Use 1ms or more.");
        }
        String user = properties.user();
        String password = properties.password();
        String bundle = properties.sslBundle();
        if ((user == null) != (password == null)) {
            check.problem(
                    MISSING_VALUE,
                    PROPERTY + (user == null ? "user" : "password"),
                    "Missing value: use both 'user' and 'password', or none of them.");
        }
        if (properties.url() == null) {
            if (user != null || password != null || bundle != null) {
                check.problem(
                        NO_EFFECT, "registry", "'user', 'password' and 'ssl-bundle' have no effect without 'url'.");
            }
            return null;
        }
        URI url = url(properties.url());
        if (url == null) {
            check.problem(
                    INVALID_ADDRESS,
                    PROPERTY + "url",
                    // It can contain a password.
                    "Invalid URL. Use one without a user, such as http://registry:8081.");
            return null;
        }
        if (bundle != null && !url.getScheme().equals("https")) {
            check.problem(
                    CONFLICTING_PROPERTIES,
                    PROPERTY + "ssl-bundle",
                    "An SSL bundle can't be used with '" + url + "'. Use an address with https.");
        }
        SSLContext tls = bundle == null ? null : tls(bundle, check);
        return new RegistryConnection(
                url, user == null || password == null ? null : basic(user, password), tls, properties.timeout());
    }

    private static @Nullable SSLContext tls(String bundle, PropertyCheck check) {
        if (!check.sslBundle(PROPERTY + "ssl-bundle", bundle)) {
            return null;
        }
        try {
            return check.settings().sslContext(bundle);
        } catch (RuntimeException e) { // of key stores that can't be read
            check.problem(
                    INVALID_VALUE,
                    PROPERTY + "ssl-bundle",
                    "SSL bundle '" + bundle + "' can't be used: " + e.getMessage());
            return null;
        }
    }

    private static @Nullable URI url(String text) {
        try {
            URI url = new URI(text.strip().replaceFirst("/+$", ""));
            boolean valid = url.getHost() != null
                    && Objects.requireNonNullElse(url.getScheme(), "").matches("https?")
                    && url.getUserInfo() == null
                    && url.getQuery() == null
                    && url.getFragment() == null;
            return valid ? url : null;
        } catch (URISyntaxException e) {
            return null;
        }
    }

    private static String basic(String user, String password) {
        byte[] credentials = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(credentials);
    }

    /**
     * Returns a client, which its user closes. It does not follow redirects, which could take the password elsewhere.
     */
    HttpClient client() {
        HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(timeout);
        if (tls != null) {
            client.sslContext(tls);
        }
        return client.build();
    }

    /** Returns a request for a path below the address. */
    HttpRequest request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                .header("Accept", "application/vnd.schemaregistry.v1+json, application/json, */*");
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        return request.build();
    }

    /** Returns a text without the password. */
    @Override
    public String toString() {
        return url.toString();
    }
}
