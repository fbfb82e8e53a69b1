package io.millrace.client;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.RegionQueries;
import io.millrace.store.region.RegionDefinition;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A client that queries regions: of a cluster, or of a store in this process. It obtains the definition of a cluster's
 * region from its servers. Thread-safe. A process may have one client of a cluster at a time, and no other store at the
 * same time.
 */
@API(status = API.Status.STABLE)
public final class MillraceClient implements AutoCloseable {

    private final RegionQueries store;
    private final Function<String, RegionDefinition> definitions;
    private final Runnable closing;

    private MillraceClient(RegionQueries store, Function<String, RegionDefinition> definitions, Runnable closing) {
        this.store = store;
        this.definitions = definitions;
        this.closing = closing;
    }

    /**
     * Creates a client of a cluster without TLS and authentication, and does not contact the cluster.
     *
     * @param locators of the cluster: {@code host:port} of each, at least one
     * @throws IllegalArgumentException if one does not have this form
     * @throws io.millrace.store.error.StoreException if Geode can't be started
     */
    public static MillraceClient connect(String... locators) {
        return builder(locators).connect();
    }

    /**
     * Returns a builder of a client with further options.
     *
     * @param locators of the cluster: {@code host:port} of each, at least one
     * @throws IllegalArgumentException if one does not have this form
     */
    public static Builder builder(String... locators) {
        return new Builder(
                List.of(locators).stream().map(ClusterOptions.Address::parse).toList());
    }

    /** The options of a client of a cluster. Not thread-safe. */
    public static final class Builder {

        private final List<ClusterOptions.Address> locators;
        private ClusterOptions.@Nullable Tls tls;
        private ClusterOptions.@Nullable Credentials credentials;
        private FunctionRegistry functions = FunctionRegistry.empty();

        private Builder(List<ClusterOptions.Address> locators) {
            this.locators = locators;
        }

        /**
         * Sets the key and certificates that secure all connections; plain connections by default.
         *
         * @param keys file with this process' key, PKCS #12
         * @param trust file with the trusted certificates, PKCS #12
         * @param password of both files
         */
        public Builder tls(Path keys, Path trust, String password) {
            tls = new ClusterOptions.Tls(keys, trust, password);
            return this;
        }

        /** Sets the user name and password of this process; none by default. */
        public Builder credentials(String user, String password) {
            credentials = new ClusterOptions.Credentials(user, password);
            return this;
        }

        /** Sets the custom functions that queries call. They must be the same on the servers; none by default. */
        public Builder functions(FunctionRegistry registry) {
            functions = registry;
            return this;
        }

        /**
         * Creates the client, and does not contact the cluster.
         *
         * @throws io.millrace.store.error.StoreException if Geode can't be started
         */
        public MillraceClient connect() {
            ClusterOptions cluster = ClusterOptions.client(locators, tls, credentials);
            GeodeStore store = new GeodeStore(GeodeOptions.client(cluster), functions);
            return new MillraceClient(store, store::openFound, store::close);
        }
    }

    /** Creates a client for the open regions of a store; closing the client does not close the store. */
    @API(status = API.Status.INTERNAL)
    public static MillraceClient of(RegionQueries store) {
        return new MillraceClient(store, store::definition, () -> {});
    }

    /**
     * Returns a region whose records are returned as maps of values by field name.
     *
     * @param select names of the fields to show, including virtual ones; empty for all stored fields
     * @throws io.millrace.store.error.StoreException if no region has this name, or no server responds
     */
    public RegionClient<Map<String, @Nullable Object>> region(String name, String... select) {
        return new RegionClient<>(store, definitions.apply(name), List.of(select), records -> records::decode);
    }

    /**
     * Returns a region whose records are returned as an interface with getters for fields: see
     * {@link io.millrace.view.RecordViews}. Only these fields are located in records.
     *
     * @throws IllegalArgumentException if a method of the interface is not a getter of a field
     * @throws io.millrace.store.error.StoreException if no region has this name, or no server responds
     */
    public <T> RegionClient<T> region(String name, Class<T> view) {
        RegionDefinition definition = definitions.apply(name);
        ViewReading<T> reading = new ViewReading<>(view, definition.schema().names());
        return new RegionClient<>(store, definition, reading.fields(), reading);
    }

    /** Leaves the cluster. */
    @Override
    public void close() {
        closing.run();
    }
}
