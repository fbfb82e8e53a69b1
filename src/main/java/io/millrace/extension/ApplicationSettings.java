package io.millrace.extension;

import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;

/**
 * What a Spring Boot application defines once for all of its parts: SSL bundles, connections, and properties outside of
 * {@code millrace}. Commands such as {@code check}, which start no application, have the properties only. Thread-safe.
 */
@API(status = API.Status.STABLE)
public interface ApplicationSettings {

    /** Returns the names of the SSL bundles. */
    Set<String> sslBundles();

    /**
     * Returns an SSL bundle.
     *
     * @throws NoSuchSslBundleException if no bundle has this name
     * @throws IllegalStateException if the bundle can't be read
     */
    SslBundle sslBundle(String name);

    /**
     * Returns the context of connections with the keys and the trusted certificates of an SSL bundle.
     *
     * @throws NoSuchSslBundleException if no bundle has this name
     * @throws IllegalStateException if the bundle can't be read
     */
    default SSLContext sslContext(String name) {
        return sslBundle(name).createSslContext();
    }

    /**
     * Returns the value of a property, or of the properties below it.
     *
     * @param name path of the property
     * @throws org.springframework.boot.context.properties.bind.BindException if the value does not fit the type
     */
    <T> Optional<T> property(String name, Bindable<T> type);

    /** Returns the connection that a bean, such as that of a container, describes; null if there is none. */
    <T extends ConnectionDetails> @Nullable T connection(Class<T> type);
}
