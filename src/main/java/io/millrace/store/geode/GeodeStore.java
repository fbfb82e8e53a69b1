package io.millrace.store.geode;

import io.millrace.background.BackgroundTask;
import io.millrace.codec.RejectSink;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Schema;
import io.millrace.store.Store;
import io.millrace.store.catalog.CatalogEntry;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.cluster.Member;
import io.millrace.store.geode.expiry.ExpiryScheduler;
import io.millrace.store.geode.query.RegionQuery;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.geode.shared.AuditTrail;
import io.millrace.store.geode.shared.LocalMap;
import io.millrace.store.geode.shared.SharedMap;
import io.millrace.store.geode.shared.StoredCommits;
import io.millrace.store.geode.shared.StoredRules;
import io.millrace.store.geode.write.BlockRegionWriter;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Answer;
import io.millrace.store.query.Migration;
import io.millrace.store.query.Query;
import io.millrace.store.query.RecordListener;
import io.millrace.store.query.StoredRecordReader;
import io.millrace.store.query.StoredRecords;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.RegionInfo;
import io.millrace.store.region.RegionTotals;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The store in Geode: embedded in this process, as a member of a cluster, or as its client, as its {@link Topology}
 * determines. A process may have one open at a time.
 */
public final class GeodeStore implements Store, Member {

    private final Map<String, OpenRegion> regions = new ConcurrentHashMap<>();
    private final Topology topology;
    private final GeodeWriters writers;
    private final GeodeStates states;
    private final KeyedRecords records;

    /**
     * Starts Geode, for queries that call built-in functions only.
     *
     * @throws StoreException if Geode can't be started, or the cluster can't be joined
     */
    public GeodeStore(GeodeOptions options) {
        this(options, FunctionRegistry.empty());
    }

    /**
     * Starts Geode.
     *
     * @param functions that queries may call in addition to the built-in ones
     * @throws StoreException if Geode can't be started, or the cluster can't be joined
     */
    public GeodeStore(GeodeOptions options, FunctionRegistry functions) {
        this(options, functions, new LocalMap<>());
    }

    /** @param writersInMemory writers to regions in memory, if this process runs alone */
    GeodeStore(GeodeOptions options, FunctionRegistry functions, SharedMap<String> writersInMemory) {
        topology = Topologies.start(options, functions, regions, writersInMemory);
        writers = new GeodeWriters(topology, functions);
        states = new GeodeStates(topology);
        records = new KeyedRecords(topology.queries(), functions);
    }

    @Override
    public List<BackgroundTask> backgroundTasks() {
        return topology.backgroundTasks();
    }

    @Override
    public synchronized void open(RegionDefinition definition) {
        if (regions.containsKey(definition.name())) {
            throw new StoreException("Region '" + definition.name() + "' is already open.");
        }
        topology.open(definition);
    }

    /**
     * Opens a region of the cluster that this process is a client of, with the servers' definition, unless it is
     * already open.
     *
     * @throws StoreException if the servers have no such region, or none answers
     */
    public synchronized RegionDefinition openFound(String name) {
        OpenRegion open = regions.get(name);
        return open == null ? topology.openFound(name) : open.current().definition();
    }

    @Override
    public void openStates(boolean persistent) {
        states.openStates(persistent);
    }

    @Override
    public void openMeasure(String name, StoredDefinition definition, boolean persistent) {
        states.openMeasure(name, definition, persistent);
    }

    @Override
    public List<CatalogEntry> catalog() {
        return states.catalog();
    }

    @Override
    public TableVersions tableVersions(boolean persistent) {
        return writers.tableVersions(persistent);
    }

    @Override
    public RuleVersions ruleVersions(boolean persistent) {
        return new StoredRules(topology.shared().rules(persistent));
    }

    @Override
    public void audit(String entry, boolean persistent) {
        new AuditTrail(topology.shared().audit(persistent)).add(entry);
    }

    @Override
    public StateStore states(boolean persistent) {
        return states.states(persistent);
    }

    @Override
    public Claim claim(WriterName writer, boolean persistent) {
        return writers.claim(writer, persistent);
    }

    @Override
    public void participate(String pipeline, boolean participates) {
        writers.participate(pipeline, participates);
    }

    @Override
    public Optional<PartitionOwners> owners(String pipeline, int partitions, boolean persistent) {
        return writers.owners(pipeline, partitions, persistent);
    }

    @Override
    public void release(Term term) {
        writers.release(term);
    }

    @Override
    public void requireCurrent(Term term) {
        writers.requireCurrent(term);
    }

    @Override
    public Commits commits(boolean persistent) {
        return new StoredCommits(topology.shared().commits(persistent));
    }

    @Override
    public RegionWriter writer(String name, WriterName writer, Schema records, RejectSink sink) {
        BlockRegionWriter.Target target = topology.target(opened(name));
        Commits commits = commits(target.definition().persistent());
        return writer(target, term -> number(writer, term), _ -> commits, records, sink);
    }

    /** Returns a writer to a target that is not necessarily part of this store. */
    RegionWriter writer(
            BlockRegionWriter.Target target,
            ToIntFunction<Term> numbers,
            Function<Term, Commits> commits,
            Schema records,
            RejectSink sink) {
        return writers.writer(target, numbers, commits, records, sink);
    }

    /** Returns the number of a writer in a term. */
    int number(WriterName writer, Term term) {
        return topology.registry().number(writer, term);
    }

    @Override
    public void requireAvailable() {
        topology.requireOpen();
        regions.values().forEach(region -> {
            region.discardVersion();
            region.current();
        });
    }

    /** Starts to serve clients. A member of a cluster does so once all regions are open. */
    void serve() {
        topology.serve();
    }

    @Override
    public boolean isOpen() {
        return topology.cache().isOpen();
    }

    @Override
    public @Nullable String failure() {
        return topology.failure();
    }

    /** Returns whether this store was closed because a disk file is truncated: it can't be opened again. */
    boolean isTruncated() {
        return topology.isTruncated();
    }

    @Override
    public List<String> regions() {
        return regions.keySet().stream().sorted().toList();
    }

    @Override
    public RegionDefinition definition(String name) {
        return opened(name).latest();
    }

    @Override
    public RegionInfo info(String name) {
        OpenRegion region = current(name);
        return RegionTotals.sum(region.definition(), topology.queries().executeAll(region, RegionQuery.Totals::new));
    }

    @Override
    public Migration migrate(String name, Duration budget) {
        OpenRegion region = current(name);
        var _ = region.toWrite();
        return topology.queries().migrate(region, budget);
    }

    @Override
    public long expired(String name) {
        OpenRegion region = regions.get(name);
        return region == null ? 0 : region.expired();
    }

    /** Returns the scheduler that removes expired records. */
    ExpiryScheduler sweeper() {
        return topology.expiry();
    }

    /** Removes all records that are expired at a time in milliseconds since 1970. */
    void sweep(long now) {
        topology.expiry().runAll(now);
    }

    @Override
    public byte @Nullable [] get(String name, String key) {
        return records.get(current(name), key);
    }

    @Override
    public @Nullable Map<String, @Nullable Object> record(String name, String key) {
        return records.record(opened(name), key);
    }

    @Override
    public <T> Optional<T> record(
            String name, String key, List<String> select, Function<StoredRecords, StoredRecordReader<T>> reading) {
        return records.record(opened(name), key, select, reading);
    }

    @Override
    public Answer<Map<String, @Nullable Object>> find(String name, Query query, Duration timeout) {
        return topology.queries().find(current(name), query, timeout, records -> records::decode, PART_BYTES);
    }

    @Override
    public <T> Answer<T> find(
            String name,
            Query query,
            Duration timeout,
            Function<StoredRecords, StoredRecordReader<T>> reading,
            int partBytes) {
        return topology.queries().find(current(name), query, timeout, reading, partBytes);
    }

    @Override
    public Answer<Map<String, @Nullable Object>> aggregates(String name, AggregateQuery query, Duration timeout) {
        return topology.queries().aggregates(current(name), query, timeout);
    }

    @Override
    public void follow(String name, RecordListener listener) {
        topology.follow(opened(name), listener);
    }

    @Override
    public long refusedWrites() {
        return topology.refusedWrites();
    }

    @Override
    public void requireCopies() {
        topology.requireCopies();
    }

    /** Returns an open region of records. */
    public OpenRegion opened(String name) {
        OpenRegion region = regions.get(name);
        if (region == null) {
            throw topology.notOpen(name);
        }
        return region;
    }

    /** Returns an open region, to be read with the version of its schema that is now in use. */
    private OpenRegion current(String name) {
        return opened(name).current();
    }

    @Override
    public void close() {
        topology.close();
    }
}
