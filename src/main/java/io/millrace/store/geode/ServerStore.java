package io.millrace.store.geode;

import io.millrace.codec.RejectSink;
import io.millrace.expression.FunctionRegistry;
import io.millrace.schema.Schema;
import io.millrace.store.AggregateQuery;
import io.millrace.store.Answer;
import io.millrace.store.Query;
import io.millrace.store.RecordListener;
import io.millrace.store.RecordReader;
import io.millrace.store.RegionDefinition;
import io.millrace.store.RegionInfo;
import io.millrace.store.RegionWriter;
import io.millrace.store.Reject;
import io.millrace.store.RejectWriter;
import io.millrace.store.StateStore;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import io.millrace.store.StoredRecords;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The store of a server: a member of a cluster that comes back whenever it was thrown out. Regions are told first, and
 * opened once the cluster is joined; while they are not, questions fail with a {@link StoreException}.
 */
public final class ServerStore implements Store {

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
        GeodeStore store = new GeodeStore(options, functions);
        try {
            openings.values().forEach(opening -> opening.accept(store));
            store.serve();
            return store;
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /** Begins to join the cluster, and does not wait for that; all regions must have been told. */
    public void start() {
        membership.start();
    }

    private GeodeStore joined() {
        GeodeStore store = membership.member();
        if (store == null) {
            throw new StoreException("this server " + membership.state());
        }
        return store;
    }

    @Override
    public void open(RegionDefinition definition) {
        openings.put(definition.name(), store -> store.open(definition));
    }

    @Override
    public void openRejects(String region, int copies, boolean persistent) {
        openings.put(region, store -> store.openRejects(region, copies, persistent));
    }

    @Override
    public void openStates(boolean persistent) {
        openings.put(GeodeStore.STATES + persistent, store -> store.openStates(persistent));
    }

    @Override
    public StateStore states(boolean persistent) {
        return joined().states(persistent);
    }

    @Override
    public RegionWriter writer(String region, String pipeline, int partition, Schema records, RejectSink rejects) {
        return joined().writer(region, pipeline, partition, records, rejects);
    }

    @Override
    public RejectWriter rejectWriter(String region, String pipeline, int partition) {
        return joined().rejectWriter(region, pipeline, partition);
    }

    @Override
    public void requireThere() {
        joined().requireThere();
    }

    @Override
    public void requireCopies() {
        joined().requireCopies();
    }

    @Override
    public List<String> regions() {
        return joined().regions();
    }

    @Override
    public RegionDefinition definition(String region) {
        return joined().definition(region);
    }

    @Override
    public RegionInfo info(String region) {
        return joined().info(region);
    }

    @Override
    public long expired(String region) {
        GeodeStore store = membership.member();
        return store == null ? 0 : store.expired(region);
    }

    @Override
    public byte @Nullable [] get(String region, String key) {
        return joined().get(region, key);
    }

    @Override
    public @Nullable Map<String, @Nullable Object> record(String region, String key) {
        return joined().record(region, key);
    }

    @Override
    public <T> Optional<T> record(
            String region, String key, List<String> select, Function<StoredRecords, RecordReader<T>> reading) {
        return joined().record(region, key, select, reading);
    }

    @Override
    public Answer<Map<String, @Nullable Object>> find(String region, Query query, Duration timeout) {
        return joined().find(region, query, timeout);
    }

    @Override
    public <T> Answer<T> find(
            String region, Query query, Duration timeout, Function<StoredRecords, RecordReader<T>> reading) {
        return joined().find(region, query, timeout, reading);
    }

    @Override
    public Answer<Map<String, @Nullable Object>> figures(String region, AggregateQuery query, Duration timeout) {
        return joined().figures(region, query, timeout);
    }

    @Override
    public void follow(String region, RecordListener listener) {
        joined().follow(region, listener);
    }

    @Override
    public List<String> rejectRegions() {
        return joined().rejectRegions();
    }

    @Override
    public long rejectCount(String region) {
        return joined().rejectCount(region);
    }

    @Override
    public List<Reject> rejects(String region, int limit) {
        return joined().rejects(region, limit);
    }

    @Override
    public void close() {
        membership.close();
    }
}
