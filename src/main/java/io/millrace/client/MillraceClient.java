package io.millrace.client;

import io.millrace.expression.FunctionRegistry;
import io.millrace.store.RegionDefinition;
import io.millrace.store.Store;
import io.millrace.store.geode.ClusterOptions;
import io.millrace.store.geode.GeodeOptions;
import io.millrace.store.geode.GeodeStore;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks regions: of a cluster, or of a store in this process. What a region of a cluster holds is learned from its
 * servers. Thread-safe. There may be one client of a cluster in a process at a time, and no other store beside it.
 */
public final class MillraceClient implements AutoCloseable {

    private final Store store;
    private final Function<String, RegionDefinition> definitions;
    private final Runnable closing;

    private MillraceClient(Store store, Function<String, RegionDefinition> definitions, Runnable closing) {
        this.store = store;
        this.definitions = definitions;
        this.closing = closing;
    }

    /**
     * Becomes a client of a cluster; nobody is asked yet.
     *
     * @param locators where the cluster is found: {@code host:port} of each, at least one
     * @throws IllegalArgumentException where one is not of this form
     * @throws io.millrace.store.StoreException where Geode can't be started
     */
    public static MillraceClient connect(String... locators) {
        return connect(ClusterOptions.client(
                List.of(locators).stream().map(ClusterOptions.Address::parse).toList()));
    }

    /**
     * Becomes a client of a cluster that is told more of; nobody is asked yet.
     *
     * @throws io.millrace.store.StoreException where Geode can't be started
     */
    public static MillraceClient connect(ClusterOptions cluster) {
        return connect(cluster, FunctionRegistry.empty());
    }

    /**
     * Becomes a client of a cluster whose servers have functions of their own; nobody is asked yet.
     *
     * @param functions the same as theirs, as far as queries call them
     * @throws io.millrace.store.StoreException where Geode can't be started
     */
    public static MillraceClient connect(ClusterOptions cluster, FunctionRegistry functions) {
        GeodeStore store = new GeodeStore(GeodeOptions.client(cluster), functions);
        return new MillraceClient(store, store::openFound, store::close);
    }

    /** Asks the regions that a store has open, such as that of a Spring application; it is not closed with this. */
    public static MillraceClient of(Store store) {
        return new MillraceClient(store, store::definition, () -> {});
    }

    /**
     * A region whose records are shown as maps of values by field name.
     *
     * @param select names of the fields to show, virtual ones too; none is all that are stored
     * @throws io.millrace.store.StoreException where there is none of this name, or no server answers
     */
    public RegionClient<Map<String, @Nullable Object>> region(String name, String... select) {
        return new RegionClient<>(store, definitions.apply(name), List.of(select), records -> records::decode);
    }

    /**
     * A region whose records are shown by an interface with getters, each of which gives a field: see
     * {@link io.millrace.codec.view.RecordViews}. Only these fields are looked for in records.
     *
     * @throws IllegalArgumentException where a method of the interface is no getter of a field
     * @throws io.millrace.store.StoreException where there is no region of this name, or no server answers
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
