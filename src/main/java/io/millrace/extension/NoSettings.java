package io.millrace.extension;

import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;

/** The settings of an application that defines nothing, as for tests of feeds and outputs. Immutable. */
@API(status = API.Status.STABLE)
public final class NoSettings implements ApplicationSettings {

    @Override
    public Set<String> sslBundles() {
        return Set.of();
    }

    @Override
    public SslBundle sslBundle(String name) {
        throw new NoSuchSslBundleException(name, "No SSL bundles are defined.");
    }

    @Override
    public <T> Optional<T> property(String name, Bindable<T> type) {
        return Optional.empty();
    }

    @Override
    public <T extends ConnectionDetails> @Nullable T connection(Class<T> type) {
        return null;
    }
}
