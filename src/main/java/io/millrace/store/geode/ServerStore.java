package io.millrace.store.geode;

import io.millrace.background.BackgroundTask;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.UnconfiguredRegions;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.cluster.Membership;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.geode.distributed.DistributedSystem;
import org.jspecify.annotations.Nullable;

/**
 * The store of a server: a member of a cluster that rejoins after each forced disconnect. Regions are registered first,
 * and opened once the cluster is joined; until then, queries fail with a {@link StoreException}.
 */
public final class ServerStore extends ReplacedStore {

    /** Sorted, so that all members open regions in the same order. */
    private final Map<String, Consumer<GeodeStore>> openings = new TreeMap<>();

    private final Membership<GeodeStore> membership;

    /**
     * Creates a store that has not been started.
     *
     * @param functions that queries may call in addition to the built-in ones
     */
    public ServerStore(GeodeOptions options, FunctionRegistry functions) {
        membership = new Membership<>("server", () -> join(options, functions));
    }

    private GeodeStore join(GeodeOptions options, FunctionRegistry functions) {
        shareSockets();
        GeodeStore store = new GeodeStore(options, functions);
        try {
            openings.values().forEach(opening -> opening.accept(store));
            UnconfiguredRegions.log(store);
            store.serve();
            return store;
        } catch (RuntimeException | Error e) {
            store.close();
            throw e;
        }
    }

    /**
     * Makes the current thread use the sockets between members that all threads share. Otherwise Geode stores a
     * thread's sockets in a thread local, and with them the whole cache of an ended membership, for the lifetime of the
     * thread.
     */
    private static void shareSockets() {
        DistributedSystem.setThreadsSocketPolicy(true);
    }

    /** Starts to join the cluster, without waiting for the result; all regions must have been registered. */
    public void start() {
        membership.start();
    }

    @Override
    GeodeStore current() {
        GeodeStore store = membership.member();
        if (store == null) {
            throw new StoreException("This server " + membership.state());
        }
        shareSockets();
        return store;
    }

    @Override
    @Nullable
    GeodeStore latest() {
        return membership.member();
    }

    @Override
    void open(String what, Consumer<GeodeStore> opening) {
        openings.put(what, opening);
    }

    @Override
    BackgroundTask task() {
        return membership.task();
    }

    @Override
    public void close() {
        membership.close();
    }
}
