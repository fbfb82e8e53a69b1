package io.millrace.store.geode;

import io.millrace.background.BackgroundTask;
import io.millrace.expression.FunctionRegistry;
import io.millrace.store.RegionDefinition;
import io.millrace.store.StoreException;
import io.millrace.store.UnconfiguredRegions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.geode.distributed.DistributedSystem;

/**
 * The store of a server: a member of a cluster that comes back whenever it was thrown out. Regions are told first, and
 * opened once the cluster is joined; while they are not, queries fail with a {@link StoreException}.
 */
public final class ServerStore extends ReplacedStore {

    private final Map<String, Consumer<GeodeStore>> openings = new TreeMap<>();
    private final Membership<GeodeStore> membership;

    /**
     * Does nothing yet.
     *
     * @param functions that queries may call besides the built-in ones
     */
    public ServerStore(GeodeOptions options, FunctionRegistry functions) {
        membership = new Membership<>("this server", () -> join(options, functions));
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
     * Has the current thread use the sockets between members that all threads share. Geode keeps those of a thread in a
     * thread local, and with them the whole cache of a membership that has ended, for as long as the thread lives.
     */
    private static void shareSockets() {
        DistributedSystem.setThreadsSocketPolicy(true);
    }

    /** Begins to join the cluster, and does not wait for that; all regions must have been told. */
    public void start() {
        membership.start();
    }

    @Override
    GeodeStore current() {
        GeodeStore store = membership.member();
        if (store == null) {
            throw new StoreException("this server " + membership.state());
        }
        shareSockets();
        return store;
    }

    @Override
    public void open(RegionDefinition definition) {
        openings.put(definition.name(), store -> store.open(definition));
    }

    @Override
    public void openStates(boolean persistent) {
        openings.put(SharedMaps.STATES + persistent, store -> store.openStates(persistent));
    }

    @Override
    public long refusedWrites() {
        GeodeStore store = membership.member();
        return store == null ? 0 : store.refusedWrites();
    }

    @Override
    public long expired(String region) {
        GeodeStore store = membership.member();
        return store == null ? 0 : store.expired(region);
    }

    @Override
    public List<BackgroundTask> backgroundTasks() {
        List<BackgroundTask> tasks = new ArrayList<>();
        tasks.add(membership.task());
        GeodeStore store = membership.member();
        if (store != null) {
            tasks.addAll(store.backgroundTasks());
        }
        return tasks;
    }

    @Override
    public void close() {
        membership.close();
    }
}
