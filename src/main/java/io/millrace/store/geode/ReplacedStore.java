package io.millrace.store.geode;

import io.millrace.background.BackgroundTask;
import io.millrace.codec.RejectSink;
import io.millrace.schema.Schema;
import io.millrace.store.Store;
import io.millrace.store.catalog.CatalogEntry;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.geode.shared.SharedMaps;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Answer;
import io.millrace.store.query.Migration;
import io.millrace.store.query.Query;
import io.millrace.store.query.RecordListener;
import io.millrace.store.query.StoredRecordReader;
import io.millrace.store.query.StoredRecords;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.RegionInfo;
import io.millrace.store.write.Claim;
import io.millrace.store.write.Commits;
import io.millrace.store.write.PartitionOwners;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.RuleVersions;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.TableVersions;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store that delegates to another one, which is replaced whenever it has to be reopened. The objects that it returns
 * are those of the current delegate, unless a subclass documents otherwise. Thread-safe.
 */
abstract class ReplacedStore implements Store {

    /**
     * Returns the current delegate.
     *
     * @throws io.millrace.store.error.StoreException with the reason if there is none at present
     */
    abstract GeodeStore current();

    /** Returns the last delegate, which may be closed; null if there was none yet, or it was given up. */
    abstract @Nullable GeodeStore latest();

    /**
     * Opens something, now or once there is a delegate, and again in each later delegate.
     *
     * @param what unique among the things to open
     */
    abstract void open(String what, Consumer<GeodeStore> opening);

    /** Returns the task that replaces the delegate. */
    abstract BackgroundTask task();

    @Override
    public void open(RegionDefinition definition) {
        open(definition.name(), store -> store.open(definition));
    }

    @Override
    public void openStates(boolean persistent) {
        open(SharedMaps.STATES + persistent, store -> store.openStates(persistent));
    }

    @Override
    public long refusedWrites() {
        GeodeStore store = latest();
        return store == null ? 0 : store.refusedWrites();
    }

    @Override
    public long expired(String region) {
        GeodeStore store = latest();
        return store == null ? 0 : store.expired(region);
    }

    @Override
    public List<BackgroundTask> backgroundTasks() {
        List<BackgroundTask> tasks = new ArrayList<>();
        tasks.add(task());
        GeodeStore store = latest();
        if (store != null) {
            tasks.addAll(store.backgroundTasks());
        }
        return tasks;
    }

    @Override
    public void openMeasure(String name, StoredDefinition definition, boolean persistent) {
        current().openMeasure(name, definition, persistent);
    }

    @Override
    public List<CatalogEntry> catalog() {
        return current().catalog();
    }

    @Override
    public RuleVersions ruleVersions(boolean persistent) {
        return current().ruleVersions(persistent);
    }

    @Override
    public TableVersions tableVersions(boolean persistent) {
        return current().tableVersions(persistent);
    }

    @Override
    public void audit(String entry, boolean persistent) {
        current().audit(entry, persistent);
    }

    @Override
    public StateStore states(boolean persistent) {
        return current().states(persistent);
    }

    @Override
    public Claim claim(WriterName writer, boolean persistent) {
        return current().claim(writer, persistent);
    }

    @Override
    public void participate(String pipeline, boolean participates) {
        current().participate(pipeline, participates);
    }

    @Override
    public Optional<PartitionOwners> owners(String pipeline, int partitions, boolean persistent) {
        return current().owners(pipeline, partitions, persistent);
    }

    @Override
    public void release(Term term) {
        current().release(term);
    }

    @Override
    public void requireCurrent(Term term) {
        current().requireCurrent(term);
    }

    @Override
    public Commits commits(boolean persistent) {
        return current().commits(persistent);
    }

    @Override
    public RegionWriter writer(String region, WriterName writer, Schema records, RejectSink rejects) {
        return current().writer(region, writer, records, rejects);
    }

    @Override
    public void requireAvailable() {
        current().requireAvailable();
    }

    @Override
    public void requireCopies() {
        current().requireCopies();
    }

    @Override
    public List<String> regions() {
        return current().regions();
    }

    @Override
    public RegionDefinition definition(String region) {
        return current().definition(region);
    }

    @Override
    public Migration migrate(String region, Duration budget) {
        return current().migrate(region, budget);
    }

    @Override
    public RegionInfo info(String region) {
        return current().info(region);
    }

    @Override
    public byte @Nullable [] get(String region, String key) {
        return current().get(region, key);
    }

    @Override
    public @Nullable Map<String, @Nullable Object> record(String region, String key) {
        return current().record(region, key);
    }

    @Override
    public <T> Optional<T> record(
            String region, String key, List<String> select, Function<StoredRecords, StoredRecordReader<T>> reading) {
        return current().record(region, key, select, reading);
    }

    @Override
    public Answer<Map<String, @Nullable Object>> find(String region, Query query, Duration timeout) {
        return current().find(region, query, timeout);
    }

    @Override
    public <T> Answer<T> find(
            String region,
            Query query,
            Duration timeout,
            Function<StoredRecords, StoredRecordReader<T>> reading,
            int partBytes) {
        return current().find(region, query, timeout, reading, partBytes);
    }

    @Override
    public Answer<Map<String, @Nullable Object>> aggregates(String region, AggregateQuery query, Duration timeout) {
        return current().aggregates(region, query, timeout);
    }

    @Override
    public void follow(String region, RecordListener listener) {
        current().follow(region, listener);
    }
}
