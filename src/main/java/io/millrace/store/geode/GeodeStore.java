package io.millrace.store.geode;

import io.millrace.background.BackgroundTask;
import io.millrace.codec.RejectSink;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Schema;
import io.millrace.store.Store;
import io.millrace.store.catalog.CatalogEntry;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.catalog.StoredDefinition.Kind;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.Causes;
import io.millrace.store.geode.cache.ClientSideCache;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.store.geode.cache.GeodeCache;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.cache.PeerCache;
import io.millrace.store.geode.cache.ProcessName;
import io.millrace.store.geode.cache.StoragePolicy;
import io.millrace.store.geode.cache.TermCheck;
import io.millrace.store.geode.cache.UnknownWriterException;
import io.millrace.store.geode.cluster.Member;
import io.millrace.store.geode.expiry.ExpiryScheduler;
import io.millrace.store.geode.query.ClusterQueryExecutor;
import io.millrace.store.geode.query.FoundRecord;
import io.millrace.store.geode.query.LocalQueryExecutor;
import io.millrace.store.geode.query.QueryExecutor;
import io.millrace.store.geode.query.QueryFunction;
import io.millrace.store.geode.query.RegionQuery;
import io.millrace.store.geode.region.Definitions;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.geode.region.RecordEvents;
import io.millrace.store.geode.region.RegionCatalog;
import io.millrace.store.geode.region.WriteAllowance;
import io.millrace.store.geode.shared.Leases;
import io.millrace.store.geode.shared.LocalMap;
import io.millrace.store.geode.shared.RegionMap;
import io.millrace.store.geode.shared.SharedMap;
import io.millrace.store.geode.shared.SharedMaps;
import io.millrace.store.geode.shared.States;
import io.millrace.store.geode.shared.StoredCommits;
import io.millrace.store.geode.shared.WriterRegistry;
import io.millrace.store.geode.write.BlockRegionWriter;
import io.millrace.store.geode.write.EntryRegionWriter;
import io.millrace.store.geode.write.PutExecutor;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Answer;
import io.millrace.store.query.Query;
import io.millrace.store.query.RecordListener;
import io.millrace.store.query.RecordReader;
import io.millrace.store.query.StoredRecords;
import io.millrace.store.query.WholeRecords;
import io.millrace.store.region.EntryKey;
import io.millrace.store.region.Layout;
import io.millrace.store.region.Memory;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.RegionInfo;
import io.millrace.store.region.RegionTotals;
import io.millrace.store.region.StoredDefinitions;
import io.millrace.store.scan.KeyLookup;
import io.millrace.store.write.Claim;
import io.millrace.store.write.Commits;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.Removals;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.apache.geode.GemFireException;
import org.apache.geode.cache.CacheWriterException;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;

/**
 * The store in Geode: embedded in this process, as a member of a cluster, or as its client. A process may have one open
 * at a time.
 */
public final class GeodeStore implements Store, Member {

    /**
     * Maximum wait of a write to a server for the removal of old blocks; then the write is refused, and the client
     * retries.
     */
    private static final Duration ALLOWANCE_TIMEOUT = Duration.ofSeconds(2);

    private final GeodeOptions options;
    private final GeodeCache cache;
    private final FunctionRegistry functions;
    private final QueryExecutor queries;
    private final SharedMaps shared;
    private final WriterRegistry registry;
    /** Refuses writes of ended terms; null if other members do that, or no other process can write. */
    private final @Nullable TermCheck check;

    /** Null if this process runs alone. */
    private final @Nullable Leases leases;

    private final ExpiryScheduler scheduler;
    /** Null if this process runs alone. */
    private final @Nullable Definitions definitions;

    private final RegionCatalog catalog;
    /** Names in the catalog of measures that were opened. */
    private final Set<String> measures = ConcurrentHashMap.newKeySet();

    /** Runs the puts of blocks, if necessary on its own threads, with a maximum number in flight for each writer. */
    private final PutExecutor puts;

    private final @Nullable ExecutorService putThreads;

    private final int putsInFlight;
    private final Map<String, OpenRegion> regions = new ConcurrentHashMap<>();
    private final Map<String, WholeRecords> wholeRecords = new ConcurrentHashMap<>();

    /** By whether they are stored on disk. */
    private final Map<Boolean, StateStore> states = new ConcurrentHashMap<>();

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
        this.options = options;
        this.functions = functions;
        ClusterOptions cluster = options.cluster();
        cache = cluster != null && options.client() ? new ClientSideCache(cluster) : new PeerCache(options);
        try {
            check = cluster == null || cache.remote() ? null : new TermCheck(this::isCurrent, this::requireAllowance);
            shared = new SharedMaps(cache, cluster == null, check);
            if (cluster == null) {
                shared.useWritersInMemory(writersInMemory);
                definitions = null;
                leases = null;
            } else {
                definitions = new Definitions(cache.shared(Definitions.REGION, false, null));
                leases = new Leases(
                        new RegionMap<>(cache, cache.spread(Leases.REGION)),
                        ProcessName.self(),
                        cluster.takeoverAfter(),
                        System::nanoTime);
                shared.open(false);
            }
            registry = new WriterRegistry(shared::writers, leases, ProcessName.self(), WriterRegistry::newToken);
            catalog = new RegionCatalog(cache, definitions == null ? null : definitions.texts());
            scheduler = new ExpiryScheduler(cache::isOpen);
            if (cluster == null || !cache.remote()) {
                // A put into this process' own memory takes less time than passing it to another thread.
                puts = PutExecutor.SAME_THREAD;
                putThreads = null;
                putsInFlight = 1;
                new QueryFunction(regions, functions).register();
            } else {
                putThreads = Executors.newCachedThreadPool(
                        Thread.ofPlatform().daemon().name("geode-put-", 0).factory());
                puts = PutExecutor.of(putThreads);
                putsInFlight = cluster.putsInFlight();
            }
            queries = cluster == null ? new LocalQueryExecutor(functions) : new ClusterQueryExecutor(functions);
        } catch (RuntimeException | Error e) {
            cache.close(); // otherwise Geode would return the same cache to the next attempt
            throw e;
        }
    }

    /**
     * Returns whether a term is current. While a server joins, its regions in memory may accept writes before the terms
     * on its disk are read. Whether such a term has ended is unknown then: the write fails and is retried.
     */
    private boolean isCurrent(String proof) {
        if (proof.startsWith("p") && !shared.isOpen(SharedMaps.WRITERS, true)) {
            throw new CacheWriterException("The terms on disk are not open yet on this server.");
        }
        if (registry.isCurrent(proof)) {
            return true;
        }
        if (!registry.knows(proof)) {
            throw new UnknownWriterException("The writer is not known on the servers: all of them have restarted.");
        }
        return false;
    }

    /** On a server: waits until the region's size allows a block to be written. */
    private void requireAllowance(String name, int bytes) {
        OpenRegion region = regions.get(name);
        WriteAllowance allowance = region == null ? null : region.allowance();
        if (allowance != null && !allowance.await(bytes, ALLOWANCE_TIMEOUT.toNanos())) {
            throw new CacheWriterException("The removal of old blocks from region '" + name
                    + "' is late, and retain.size is exceeded: retry the write.");
        }
    }

    @Override
    public List<BackgroundTask> backgroundTasks() {
        List<BackgroundTask> tasks = new ArrayList<>(scheduler.tasks());
        if (leases != null) {
            tasks.add(leases.task());
        }
        return tasks;
    }

    @Override
    public synchronized void open(RegionDefinition definition) {
        String name = definition.name();
        requireNotOpen(name);
        StoredDefinition shared = shared(definition);
        register(name, shared);
        Region<Object, byte[]> region =
                region(name, StoragePolicy.of(definition), StoredDefinitions.of(definition, options.buckets()));
        OpenRegion open = new OpenRegion(
                definition,
                region,
                cache,
                () -> require(name, shared),
                options.cluster() == null ? scheduler::run : null);
        regions.put(name, open);
        if (!cache.remote()) {
            scheduler.add(open);
        }
    }

    /**
     * Opens a region of the cluster that this process is a client of, with the servers' definition, unless it is
     * already open.
     *
     * @throws StoreException if the servers have no such region, or none answers
     */
    public synchronized RegionDefinition openFound(String name) {
        OpenRegion open = regions.get(name);
        if (open != null) {
            return open.definition();
        }
        if (definitions == null || !cache.remote()) {
            throw new StoreException("region=" + name + " is not open");
        }
        definitions.requireThere(name);
        Region<Object, byte[]> region = cache.region(name, new StoragePolicy(0, false, Memory.HEAP), null);
        RegionDefinition definition = QueryExecutor.executeAll(
                        name, (_, _, _) -> QueryFunction.execute(region, new RegionQuery.What()))
                .getFirst();
        regions.put(name, new OpenRegion(definition, region, cache, () -> require(name, shared(definition)), null));
        return definition;
    }

    /** Opens a region, unless it is on disk and contains data that its definition can't be used with. */
    private <K> Region<K, byte[]> region(String name, StoragePolicy policy, StoredDefinition definition) {
        boolean onDisk = policy.persistent() && !cache.remote();
        if (onDisk) {
            catalog.requireOpenable(name, definition);
            // Opened before the first region that needs it: the check of writes to that region reads it.
            shared.open(true);
        }
        Region<K, byte[]> region = cache.region(name, policy, check);
        if (onDisk) {
            try {
                catalog.admit(name, definition, region.isEmpty(), true);
            } catch (StoreException e) {
                region.close();
                throw e;
            }
        }
        return region;
    }

    private StoredDefinition shared(RegionDefinition definition) {
        return StoredDefinitions.of(definition.shared(), options.buckets());
    }

    private void register(String name, StoredDefinition definition) {
        if (definitions != null && !cache.remote()) {
            definitions.register(name, definition);
        }
    }

    /** Requires that the servers have the region with the same definition, before anything is written to it. */
    private void require(String name, StoredDefinition definition) {
        if (definitions != null && cache.remote()) {
            definitions.require(name, definition);
        }
    }

    private void requireNotOpen(String name) {
        if (regions.containsKey(name)) {
            throw new StoreException("region=" + name + " is open already");
        }
    }

    @Override
    public synchronized void openStates(boolean persistent) {
        if (!states.containsKey(persistent)) {
            boolean lasting = persistent || options.cluster() != null;
            states.put(persistent, new States(shared.states(persistent), lasting));
        }
    }

    @Override
    public void openMeasure(String name, StoredDefinition definition, boolean persistent) {
        if (states(persistent).lasting()) {
            catalog.admit(name, definition, !hasState(name, persistent), persistent);
        }
        measures.add(name);
    }

    private boolean hasState(String measure, boolean persistent) {
        return States.count(shared.states(persistent), measure) > 0;
    }

    @Override
    public List<CatalogEntry> catalog() {
        List<CatalogEntry> entries = new ArrayList<>();
        Map<String, StoredDefinition> all = catalog.all();
        try {
            all.forEach((name, definition) -> entries.add(entry(name, definition)));
        } catch (GemFireException e) {
            throw new StoreException("The stored values can't be counted: " + Causes.first(e), e);
        }
        return entries;
    }

    private CatalogEntry entry(String name, StoredDefinition definition) {
        OpenRegion region = regions.get(name);
        if (region != null && region.definition().persistent()) {
            return new CatalogEntry(name, definition, true, cache.size(region.region()));
        }
        return definition.kind() == Kind.MEASURE && states.containsKey(true)
                ? new CatalogEntry(name, definition, measures.contains(name), hasState(name, true) ? 1 : 0)
                : new CatalogEntry(name, definition, false, CatalogEntry.UNKNOWN);
    }

    @Override
    public StateStore states(boolean persistent) {
        return known(SharedMaps.STATES, states.get(persistent));
    }

    @Override
    public Claim claim(WriterName writer, boolean persistent) {
        if (leases != null) {
            leases.start();
        }
        return registry.claim(writer, persistent);
    }

    @Override
    public void release(Term term) {
        registry.release(term);
    }

    @Override
    public Commits commits(boolean persistent) {
        return new StoredCommits(shared.commits(persistent));
    }

    @Override
    public RegionWriter writer(String name, WriterName writer, Schema records, RejectSink sink) {
        OpenRegion region = opened(name);
        BlockRegionWriter.Target target =
                new BlockRegionWriter.Target(region.all(), region.definition(), region::requireThere, leases != null);
        return writer(target, term -> number(writer, term), records, sink);
    }

    /** Returns a writer to a target that is not necessarily part of this store. */
    RegionWriter writer(BlockRegionWriter.Target target, ToIntFunction<Term> numbers, Schema records, RejectSink sink) {
        RegionDefinition definition = target.definition();
        return definition.layout() == Layout.ENTRIES
                ? new EntryRegionWriter(target, records, removals(definition, records), sink)
                : new BlockRegionWriter(target, numbers, records, puts, putsInFlight);
    }

    /** Returns the number of a writer in a term. */
    int number(WriterName writer, Term term) {
        return registry.number(writer, term);
    }

    private @Nullable Removals removals(RegionDefinition definition, Schema records) {
        String remove = definition.remove();
        return remove == null
                ? null
                : new Removals(Removals.compile(remove, records, functions).loop(), records);
    }

    @Override
    public void requireThere() {
        if (!cache.isOpen()) {
            throw new StoreException(
                    options.cluster() == null ? "Geode is closed in this process." : "the cluster was left");
        }
        cache.requireSpace();
        regions.values().forEach(OpenRegion::requireThere);
    }

    /** Starts to serve clients. A member of a cluster does so once all regions are open. */
    void serve() {
        if (cache instanceof PeerCache peer && options.cluster() != null) {
            peer.serve(options.cluster());
        }
    }

    @Override
    public boolean isOpen() {
        return cache.isOpen();
    }

    @Override
    public @Nullable String failure() {
        return cache instanceof PeerCache peer ? peer.failure() : null;
    }

    @Override
    public List<String> regions() {
        return regions.keySet().stream().sorted().toList();
    }

    @Override
    public RegionDefinition definition(String name) {
        return opened(name).definition();
    }

    @Override
    public RegionInfo info(String name) {
        OpenRegion region = opened(name);
        return RegionTotals.sum(region.definition(), queries.executeAll(region, RegionQuery.HowMuch::new));
    }

    @Override
    public long expired(String name) {
        OpenRegion region = regions.get(name);
        return region == null ? 0 : region.expired();
    }

    /** Returns the scheduler that removes expired records. */
    ExpiryScheduler sweeper() {
        return scheduler;
    }

    /** Removes all records that are expired at a time in milliseconds since 1970. */
    void sweep(long now) {
        scheduler.runAll(now);
    }

    @Override
    public byte @Nullable [] get(String name, String key) {
        OpenRegion region = opened(name);
        if (region.definition().layout() == Layout.ENTRIES) {
            return region.all().get(EntryKey.of(region.definition()).parse(key));
        }
        // Parsed here first: an invalid key is reported whether or not there is data.
        KeyLookup.of(region.definition(), key);
        return FoundRecord.last(queries.executeAll(region, from -> new RegionQuery.Last(key, from)));
    }

    @Override
    public @Nullable Map<String, @Nullable Object> record(String name, String key) {
        byte[] stored = get(name, key);
        return stored == null
                ? null
                : wholeRecords
                        .computeIfAbsent(
                                name, _ -> new WholeRecords(definition(name).schema(), functions))
                        .decode(stored);
    }

    @Override
    public <T> Optional<T> record(
            String name, String key, List<String> select, Function<StoredRecords, RecordReader<T>> reading) {
        byte[] stored = get(name, key);
        return Optional.ofNullable(stored)
                .map(bytes -> reading.apply(StoredRecords.of(definition(name).schema(), select, functions))
                        .read(bytes, 0, bytes.length));
    }

    @Override
    public Answer<Map<String, @Nullable Object>> find(String name, Query query, Duration timeout) {
        return find(name, query, timeout, records -> records::decode);
    }

    @Override
    public <T> Answer<T> find(
            String name, Query query, Duration timeout, Function<StoredRecords, RecordReader<T>> reading) {
        return queries.find(opened(name), query, timeout, reading);
    }

    @Override
    public Answer<Map<String, @Nullable Object>> figures(String name, AggregateQuery query, Duration timeout) {
        return queries.figures(opened(name), query, timeout);
    }

    @Override
    public void follow(String name, RecordListener listener) {
        OpenRegion region = opened(name);
        if (options.cluster() != null) {
            throw new StoreException(
                    "region=" + name + " is in a cluster: a table can only follow a region of this process alone");
        }
        RecordEvents.follow(region.region(), listener);
    }

    @Override
    public long refusedWrites() {
        return check == null ? 0 : check.refused();
    }

    @Override
    public void requireCopies() {
        if (cache instanceof PeerCache peer) {
            regions.values().forEach(region -> requireCopies(peer, region.region()));
        }
    }

    private static void requireCopies(PeerCache peer, Region<?, ?> region) {
        int lacking = peer.lackingCopies(region);
        if (lacking > 0) {
            throw new StoreException("region=" + region.getName() + " lacks copies of " + lacking + " of its parts");
        }
    }

    /** Returns an open region of records. */
    public OpenRegion opened(String name) {
        return known(name, regions.get(name));
    }

    private static <T> T known(String name, @Nullable T region) {
        if (region == null) {
            throw new StoreException("region=" + name + " is not open");
        }
        return region;
    }

    @Override
    public void close() {
        if (putThreads != null) {
            putThreads.shutdown();
        }
        if (leases != null) {
            leases.close();
        }
        scheduler.close();
        if (!cache.remote()) {
            QueryFunction.unregister();
        }
        if (cache instanceof PeerCache peer && options.cluster() != null && cache.isOpen()) {
            peer.handOver();
        }
        cache.close();
    }
}
