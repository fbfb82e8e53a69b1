package io.millrace.store.geode;

import io.millrace.codec.RejectSink;
import io.millrace.expression.FunctionRegistry;
import io.millrace.schema.Schema;
import io.millrace.store.AggregateQuery;
import io.millrace.store.Answer;
import io.millrace.store.EntryKey;
import io.millrace.store.KeyLookup;
import io.millrace.store.Layout;
import io.millrace.store.Memory;
import io.millrace.store.Query;
import io.millrace.store.RecordListener;
import io.millrace.store.RecordReader;
import io.millrace.store.RegionDefinition;
import io.millrace.store.RegionInfo;
import io.millrace.store.RegionNames;
import io.millrace.store.RegionTotals;
import io.millrace.store.RegionWriter;
import io.millrace.store.Reject;
import io.millrace.store.RejectFormat;
import io.millrace.store.RejectWriter;
import io.millrace.store.Removals;
import io.millrace.store.StateStore;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import io.millrace.store.StoredRecords;
import io.millrace.store.WholeRecords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;

/**
 * The store in Geode: embedded in this process, as a member of a cluster, or as its client. There may be one open in a
 * process at a time.
 */
public final class GeodeStore implements Store, Member {

    /** Region of positions that no block tells. */
    public static final String POSITIONS = "millrace-positions";

    /** Region of what parts of pipelines know beside records. */
    public static final String STATES = "millrace-states";

    private final GeodeOptions options;
    private final GeodeCache cache;
    private final FunctionRegistry functions;
    private final Questions questions;
    private final Positions positions;
    private final Sweeper sweeper;
    /** Null where this process is alone. */
    private final @Nullable Definitions definitions;

    /** Makes puts of blocks, and how many each writer may have under way. */
    private final Executor puts;

    private final int putsInFlight;
    private final Map<String, OpenRegion> regions = new ConcurrentHashMap<>();
    private final Map<String, OpenRejects> rejects = new ConcurrentHashMap<>();
    private final Map<String, WholeRecords> wholeRecords = new ConcurrentHashMap<>();

    /** By whether they are kept on disk. */
    private final Map<Boolean, StateStore> states = new ConcurrentHashMap<>();

    /** What a region of rejects is. */
    private record RejectsDefinition(int copies, boolean persistent) {}

    private record OpenRejects(RejectsDefinition definition, Region<String, byte[]> region) {}

    /**
     * Starts Geode, for queries that call built-in functions only.
     *
     * @throws StoreException where Geode can't be started, or the cluster not be joined
     */
    public GeodeStore(GeodeOptions options) {
        this(options, FunctionRegistry.empty());
    }

    /**
     * Starts Geode.
     *
     * @param functions that queries may call besides the built-in ones
     * @throws StoreException where Geode can't be started, or the cluster not be joined
     */
    public GeodeStore(GeodeOptions options, FunctionRegistry functions) {
        this.options = options;
        this.functions = functions;
        ClusterOptions cluster = options.cluster();
        cache = cluster != null && options.client() ? new ClientSideCache(cluster) : new PeerCache(options);
        if (cluster == null) {
            definitions = null;
            positions = new Positions(new ConcurrentHashMap<>(), () -> cache.shared(POSITIONS, true));
        } else {
            definitions = new Definitions(cache.shared(Definitions.REGION, false));
            positions =
                    new Positions(cache.shared(POSITIONS + "-in-memory", false), () -> cache.shared(POSITIONS, true));
        }
        sweeper = new Sweeper(cache::isOpen);
        if (cluster == null || !cache.remote()) {
            // A put into this process' own memory takes less time than to hand it over.
            puts = Runnable::run;
            putsInFlight = 1;
            new QuestionFunction(regions, functions).register();
        } else {
            puts = Executors.newCachedThreadPool(
                    Thread.ofPlatform().daemon().name("geode-put-", 0).factory());
            putsInFlight = cluster.putsInFlight();
        }
        questions = cluster == null ? new LocalQuestions(functions) : new ClusterQuestions(functions);
    }

    @Override
    public synchronized void open(RegionDefinition definition) {
        String name = definition.name();
        refuseTaken(name);
        register(name, definition.shared());
        Region<Object, byte[]> region = cache.region(name, Keeping.of(definition));
        if (definition.persistent() && !cache.remote()) {
            try {
                checkSchema(definition, region);
            } catch (StoreException e) {
                region.close();
                throw e;
            }
        }
        OpenRegion open = new OpenRegion(definition, region, cache, () -> require(name, definition.shared()));
        regions.put(name, open);
        if (!cache.remote()) {
            sweeper.add(open);
        }
    }

    /**
     * Opens a region of the cluster that this is a client of, as the servers have it, unless it is open already.
     *
     * @throws StoreException where they have no such region, or none answers
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
        Region<Object, byte[]> region = cache.region(name, new Keeping(0, false, Memory.HEAP));
        RegionDefinition definition =
                QuestionFunction.ask(region, new Question.What()).getFirst();
        regions.put(name, new OpenRegion(definition, region, cache, () -> require(name, definition.shared())));
        return definition;
    }

    private void register(String name, Object definition) {
        if (definitions != null && !cache.remote()) {
            definitions.register(name, definition);
        }
    }

    /** Makes sure that the servers have the region, and as the same, before anything is written to it. */
    private void require(String name, Object definition) {
        if (definitions != null && cache.remote()) {
            definitions.require(name, definition);
        }
    }

    private void checkSchema(RegionDefinition definition, Region<Object, byte[]> region) {
        long fingerprint = definition.schema().fingerprint();
        Long held = positions.fingerprint(definition.name());
        if (held == null || held != fingerprint) {
            if (held != null && !region.isEmpty()) {
                throw new StoreException("region=" + definition.name() + " holds records of a schema with fingerprint="
                        + HexFormat.of().toHexDigits(held) + ", not of " + definition.schema()
                        + ": give this schema a region of another name");
            }
            positions.putFingerprint(definition.name(), fingerprint);
        }
    }

    @Override
    public synchronized void openRejects(String name, int copies, boolean persistent) {
        RegionNames.requireGood(name);
        refuseTaken(name);
        RejectsDefinition definition = new RejectsDefinition(copies, persistent);
        register(name, definition);
        rejects.put(
                name, new OpenRejects(definition, cache.region(name, new Keeping(copies, persistent, Memory.HEAP))));
    }

    private void refuseTaken(String name) {
        if (regions.containsKey(name) || rejects.containsKey(name)) {
            throw new StoreException("region=" + name + " is open already");
        }
    }

    @Override
    public synchronized void openStates(boolean persistent) {
        if (!states.containsKey(persistent)) {
            boolean lasting = persistent || options.cluster() != null;
            Map<String, byte[]> kept = lasting
                    ? cache.shared(persistent ? STATES : STATES + "-in-memory", persistent)
                    : new ConcurrentHashMap<>();
            states.put(persistent, new States(kept, lasting));
        }
    }

    @Override
    public StateStore states(boolean persistent) {
        return known(STATES, states.get(persistent));
    }

    @Override
    public RegionWriter writer(String name, String pipeline, int partition, Schema records, RejectSink sink) {
        OpenRegion region = opened(name);
        RegionWriter writer;
        if (region.definition().layout() == Layout.ENTRIES) {
            String position = Positions.key(name, pipeline, partition);
            writer = new EntryRegionWriter(
                    region, positions, position, records, removals(region.definition(), records), sink);
        } else {
            region.admit(pipeline);
            writer = new BlockRegionWriter(region, pipeline, partition, records, puts, putsInFlight);
        }
        if (!cache.remote()) {
            writer.open();
        }
        return writer;
    }

    private @Nullable Removals removals(RegionDefinition definition, Schema records) {
        String remove = definition.remove();
        return remove == null
                ? null
                : new Removals(Removals.compile(remove, records, functions).loop(), records);
    }

    @Override
    public RejectWriter rejectWriter(String name, String pipeline, int partition) {
        OpenRejects open = known(name, rejects.get(name));
        return new GeodeRejectWriter(cache, open.region(), pipeline, partition);
    }

    @Override
    public void requireThere() {
        if (!cache.isOpen()) {
            throw new StoreException("the cluster was left");
        }
        regions.values().forEach(OpenRegion::requireThere);
        rejects.forEach((name, open) -> require(name, open.definition()));
    }

    /** Serves clients from now on. A member of a cluster does so once all regions are open. */
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
        return RegionTotals.sum(region.definition(), questions.ask(region, new Question.HowMuch()));
    }

    @Override
    public long expired(String name) {
        OpenRegion region = regions.get(name);
        return region == null ? 0 : region.expired();
    }

    /** Removes what all regions would keep no longer if it were some time, in milliseconds since 1970. */
    void sweep(long now) {
        sweeper.runAll(now);
    }

    @Override
    public byte @Nullable [] get(String name, String key) {
        OpenRegion region = opened(name);
        if (region.definition().layout() == Layout.ENTRIES) {
            return region.get(EntryKey.of(region.definition()).parse(key));
        }
        // First here: what is wrong with the key is to be told whether anybody has data or not.
        KeyLookup.of(region.definition(), key);
        return FoundRecord.last(questions.ask(region, new Question.Last(key)));
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
        return questions.find(opened(name), query, timeout, reading);
    }

    @Override
    public Answer<Map<String, @Nullable Object>> figures(String name, AggregateQuery query, Duration timeout) {
        return questions.figures(opened(name), query, timeout);
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
    public List<String> rejectRegions() {
        return rejects.keySet().stream().sorted().toList();
    }

    @Override
    public long rejectCount(String name) {
        return cache.size(known(name, rejects.get(name)).region());
    }

    @Override
    public List<Reject> rejects(String name, int limit) {
        Region<String, byte[]> region = known(name, rejects.get(name)).region();
        List<Reject> found = new ArrayList<>();
        // Copied before it becomes a stream: that relies on the set's size, which others change meanwhile.
        for (String key :
                new TreeSet<>(cache.keys(region)).stream().limit(limit).toList()) {
            byte[] value = region.get(key);
            if (value != null) {
                found.add(RejectFormat.decode(key, value));
            }
        }
        return found;
    }

    @Override
    public void requireCopies() {
        if (cache instanceof PeerCache peer) {
            regions.values().forEach(region -> requireCopies(peer, region.region()));
            rejects.values().forEach(open -> requireCopies(peer, open.region()));
        }
    }

    private static void requireCopies(PeerCache peer, Region<?, ?> region) {
        int lacking = peer.lackingCopies(region);
        if (lacking > 0) {
            throw new StoreException("region=" + region.getName() + " lacks copies of " + lacking + " of its parts");
        }
    }

    /** A region of records, by name. */
    OpenRegion opened(String name) {
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
        if (puts instanceof ExecutorService threads) {
            threads.shutdown();
        }
        sweeper.close();
        if (!cache.remote()) {
            QuestionFunction.unregister();
        }
        if (cache instanceof PeerCache peer && options.cluster() != null && cache.isOpen()) {
            peer.handOver();
        }
        cache.close();
    }
}
