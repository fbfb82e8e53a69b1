package io.millrace.client;

import io.millrace.expression.FunctionRegistry;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.RegionQueries;
import io.millrace.store.region.RegionDefinition;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A client that queries regions: of a cluster, or of a store in this process. It obtains the definition of a cluster's
 * region from its servers. Thread-safe. A process may have one client of a cluster at a time, and no other store at the
 * same time.
 */
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
     * Creates a client of a cluster without contacting it.
     *
     * @param locators of the cluster: {@code host:port} of each, at least one
     * @throws IllegalArgumentException if one does not have this form
     * @throws io.millrace.store.error.StoreException if Geode can't be started
     */
    public static MillraceClient connect(String... locators) {
        return connect(ClusterOptions.client(
                List.of(locators).stream().map(ClusterOptions.Address::parse).toList()));
    }

    /**
     * Creates a client of a cluster with further options, without contacting it.
     *
     * @throws io.millrace.store.error.StoreException if Geode can't be started
     */
    public static MillraceClient connect(ClusterOptions cluster) {
        return connect(cluster, FunctionRegistry.empty());
    }

    /**
     * Creates a client of a cluster whose servers have custom functions, without contacting it.
     *
     * @param functions the same as those of the servers, as far as queries call them
     * @throws io.millrace.store.error.StoreException if Geode can't be started
     */
    public static MillraceClient connect(ClusterOptions cluster, FunctionRegistry functions) {
        GeodeStore store = new GeodeStore(GeodeOptions.client(cluster), functions);
        return new MillraceClient(store, store::openFound, store::close);
    }

    /**
     * Creates a client for the open regions of a store, such as that of a Spring application; closing the client does
     * not close the store.
     */
    public static MillraceClient of(RegionQueries store) {
        return new MillraceClient(store, store::definition, () -> {});
    }

    /**
     * Returns a region whose records are returned as maps of values by field name.
     *
     * @param select names of the fields to show, including virtual ones; empty for all stored fields
     * @throws io.millrace.store.error.StoreException if there is no region of this name, or no server answers
     */
    public RegionClient<Map<String, @Nullable Object>> region(String name, String... select) {
        return new RegionClient<>(store, definitions.apply(name), List.of(select), records -> records::decode);
    }

    /**
     * Returns a region whose records are returned as an interface with getters for fields: see
     * {@link io.millrace.codec.view.RecordViews}. Only these fields are located in records.
     *
     * @throws IllegalArgumentException if a method of the interface is not a getter of a field
     * @throws io.millrace.store.error.StoreException if there is no region of this name, or no server answers
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
