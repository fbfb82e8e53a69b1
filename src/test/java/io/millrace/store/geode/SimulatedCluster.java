package io.millrace.store.geode;

import io.millrace.background.SteadyClock;
import io.millrace.simulation.Simulation;
import io.millrace.store.block.Block;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.Causes;
import io.millrace.store.geode.cache.ProcessName;
import io.millrace.store.geode.cache.TermCheck;
import io.millrace.store.geode.expiry.EntryExpiry;
import io.millrace.store.geode.expiry.ExpiredBlocks;
import io.millrace.store.geode.expiry.ExpiryScheduler;
import io.millrace.store.geode.region.LocalValues;
import io.millrace.store.geode.region.StoredBlock;
import io.millrace.store.geode.region.Values;
import io.millrace.store.geode.shared.LocalMap;
import io.millrace.store.geode.shared.SharedMap;
import io.millrace.store.geode.shared.StoredRules;
import io.millrace.store.geode.shared.WriterRegistry;
import io.millrace.store.query.LatestField;
import io.millrace.store.region.EntryVersions;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.Retention;
import io.millrace.store.write.Commit;
import io.millrace.store.write.RuleVersions;
import io.millrace.store.write.Term;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.geode.cache.EntryEvent;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;

/**
 * The servers of a simulated cluster, as their clients see them: what it has accepted is never lost, and nothing else
 * is promised. A request may be lost, arrive late, even after the client that sent it gave up, was killed or
 * superseded; an answer may be lost; a bulk write may be carried out in part; the servers may not answer for a while.
 * Between the check of a write's term and the write, anything may happen to other keys, but not to the same one.
 */
public final class SimulatedCluster {

    private static final long REQUEST_TIMEOUT = 2_000_000_000L;

    /** A process makes dozens of requests before its first record: where many fail, most faults hit starts. */
    private static final int[] FATES = {60, 300, 1_500};

    /** The same for puts of blocks, if many of them are to be lost. */
    private static final int FATES_OF_LOST_PUTS = 12;

    private static final int BUCKETS = 4;

    /** Of the values of regions with retention. */
    public static final Duration MAX_AGE = Duration.ofSeconds(10);

    /** By how much a clock may be wrong at a time without being a jump, and some steps of the simulation. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(6);

    private final Simulation simulation;
    private final Threads server;
    private final Map<String, NavigableMap<Object, byte[]>> regions = new HashMap<>();
    private final Map<Boolean, LocalMap<String>> writers = Map.of(true, new LocalMap<>(), false, new LocalMap<>());
    private final Map<Boolean, LocalMap<String>> rules = Map.of(true, new LocalMap<>(), false, new LocalMap<>());
    private final Map<Boolean, LocalMap<String>> commits = Map.of(true, new LocalMap<>(), false, new LocalMap<>());
    private final Map<Boolean, LocalMap<byte[]>> states = Map.of(true, new LocalMap<>(), false, new LocalMap<>());
    private final LocalMap<String> leases = new LocalMap<>();
    private final WriterRegistry registry;
    private final TermCheck terms;
    private final CheckedWrite checked = new CheckedWrite();
    private final SteadyClock steadyClock;
    private final InstantSource clock;
    private final SimulatedDisks disks;
    private final Map<String, LocalMap<?>> maps = new HashMap<>();
    private final Map<String, Stamp> stamps = new HashMap<>();
    /** Blocks that have expired: none of them may be stored again. */
    private final Set<String> expiredBlocks = new HashSet<>();

    private final Map<String, LatestField> orders = new HashMap<>();

    private final Set<String> locked = new HashSet<>();
    /**
     * The last request of each client thread that changed a key: earlier ones that arrive later are ignored. Geode
     * numbers bulk changes and changes of single keys separately, as {@link LateRequestTest} shows.
     */
    private final Map<String, Long> lastSequences = new HashMap<>();

    /** Of so many requests, six are late, lost or not answered. */
    private final int fates;

    private boolean faulty = true;
    private boolean checksTerms = true;
    private boolean checksOrder = true;
    private boolean waitsForWrites = true;
    private boolean reportsFailures = true;
    private boolean retriesOnOneThread = true;
    private boolean copiesFirst = true;
    private boolean waitsForNewest = true;
    private boolean removesProvisional = true;
    private boolean checksCommits = true;
    private boolean losesPuts;
    private boolean checksJumps = true;
    private long unavailableUntil;
    private long movingUntil;
    private int movingBucket;
    private long sequences;
    /** Requests that are not carried out yet. */
    private int underWay;

    /** Starts threads of servers. */
    public interface Threads {
        void startAfter(long nanos, Runnable body);

        /** Ends all threads: no server runs any more. */
        void endAll();
    }

    /** @param clock of the servers */
    public SimulatedCluster(Simulation simulation, Threads server, InstantSource clock) {
        this.simulation = simulation;
        this.clock = clock;
        this.disks = new SimulatedDisks(simulation);
        for (boolean persistent : new boolean[] {true, false}) {
            maps.put("writers" + persistent, of(writers, persistent));
            maps.put("commits" + persistent, of(commits, persistent));
            maps.put("rules" + persistent, of(rules, persistent));
            maps.put("states" + persistent, of(states, persistent));
        }
        this.steadyClock = new SteadyClock(clock, simulation::now);
        this.server = server;
        this.fates = FATES[simulation.random().nextInt(FATES.length)];
        this.registry = new WriterRegistry(writers::get, null, new ProcessName("server", 1, 1, 0), () -> "unused");
        this.terms = new TermCheck(proof -> !checksTerms || registry.isCurrent(proof), (_, _, _) -> {});
    }

    /** From now on every request is carried out and answered at once. */
    public void heal() {
        faulty = false;
        disks.startAll();
        unavailableUntil = 0;
        movingUntil = 0;
    }

    /** Whether requests from before the cluster was healed are still under way. */
    public boolean isQuiet() {
        return underWay == 0;
    }

    /** Puts of blocks are late, lost or not answered more often than other requests. */
    public void losePuts() {
        losesPuts = true;
    }

    /** A mutant: accepts writes of ended terms. */
    public void acceptEverything() {
        checksTerms = false;
    }

    /** A mutant: carries out an earlier request of a client's thread after a later one. */
    public void carryOutLateRequests() {
        checksOrder = false;
    }

    /** A mutant: answers that a key has a value, although a write of the key is in progress. */
    public void answerDuringWrites() {
        waitsForWrites = false;
    }

    /** A mutant: clients repeat a put of a block whose outcome is unknown, by another thread, and don't report that. */
    public void hideFailures() {
        reportsFailures = false;
    }

    /** A mutant: clients retry a put of a block by another thread. */
    public void retryOnOtherThreads() {
        retriesOnOneThread = false;
    }

    /** A mutant: takes the times of values for right although the clock was behind. */
    public void trustTheClock() {
        checksJumps = false;
    }

    /** A mutant: accepts a change before all servers that run have it. */
    public void acceptBeforeCopying() {
        copiesFirst = false;
    }

    /** A mutant: a server starts although another one has a newer copy. */
    public void startWithoutTheNewest() {
        waitsForNewest = false;
    }

    /** A mutant: does not remove records that the feed delivers again. */
    public void keepProvisional() {
        removesProvisional = false;
    }

    /** A mutant: accepts commits of ended terms, and how far they say that entries are ahead of them. */
    public void acceptCommits() {
        checksCommits = false;
    }

    public boolean checksTerms() {
        return checksTerms;
    }

    boolean reportsFailures() {
        return reportsFailures;
    }

    boolean retriesOnOneThread() {
        return retriesOnOneThread;
    }

    /** Ends a server. */
    public void crash() {
        int before = disks.size();
        if (disks.crash()) {
            server.endAll();
            locked.clear();
            underWay = 0;
            lastSequences.clear();
            leases.values().clear();
        } else if (!copiesFirst) {
            rebuild(Math.max(0, before - 2));
        }
    }

    /** Starts a server, if one does not run. */
    public void startServer() {
        disks.start();
        if (!waitsForNewest) {
            var _ = revoke();
        }
    }

    /**
     * Starts the server with the next older copy if none runs.
     *
     * @return number of changes that it has, -1 if it does not start
     */
    public int revoke() {
        int kept = disks.online() ? -1 : disks.revoke();
        if (kept >= 0) {
            rebuild(kept);
        }
        return kept;
    }

    /** Returns the number of changes so far. */
    public int changes() {
        return disks.size();
    }

    /**
     * Returns the commits of each writer that were accepted and are not lost, in order. One that was checked before its
     * term ended, and stored after it, has no effect: the next term may have begun without it, and stores another one.
     */
    public Map<String, List<Commit>> commits() {
        Map<String, List<Commit>> all = new HashMap<>();
        disks.each(change -> {
            boolean commit = change.map().equals("commitstrue") && change.current();
            if (commit && change.value() instanceof String text && text.contains("\n")) { // the others are positions
                all.computeIfAbsent(change.key().toString(), _ -> new ArrayList<>())
                        .add(Commit.parse(text));
            }
        });
        return all;
    }

    /** Whether a server runs. */
    public boolean online() {
        return disks.online();
    }

    private void rebuild(int count) {
        regions.values().forEach(Map::clear);
        maps.values().forEach(map -> map.values().clear());
        stamps.clear();
        expiredBlocks.clear();
        disks.rebuild(count, this::apply);
    }

    @SuppressWarnings("unchecked")
    private void apply(SimulatedDisks.Change change) {
        LocalMap<Object> map = (LocalMap<Object>) maps.get(change.map());
        Object value = change.value();
        if (map != null && value == null) {
            map.values().remove((String) change.key());
        } else if (map != null) {
            map.values().put((String) change.key(), Objects.requireNonNull(value));
        } else if (value instanceof StampedValue stored) {
            region(change.map()).put(change.key(), stored.bytes);
            stamps.put(lock(change.map(), change.key()), stored.stamp);
        } else {
            region(change.map()).remove(change.key());
            stamps.remove(lock(change.map(), change.key()));
        }
    }

    /** For a while nobody gets an answer. */
    public void becomeUnavailable(long nanos) {
        unavailableUntil = simulation.now() + nanos;
    }

    /** For a while a share of the keys has no server: writes wait, or are carried out and fail all the same. */
    public void moveBucket(long nanos) {
        movingBucket = simulation.random().nextInt(BUCKETS);
        movingUntil = simulation.now() + nanos;
    }

    private boolean moves(Object key) {
        return simulation.now() < movingUntil && Math.floorMod(key.hashCode(), BUCKETS) == movingBucket;
    }

    /** How many writes were refused. */
    public long refused() {
        return terms.refused();
    }

    /** The versions of rules, as they are stored. */
    public RuleVersions ruleVersions() {
        return new StoredRules(of(rules, true));
    }

    /** What a region holds. */
    public NavigableMap<Object, byte[]> region(String name) {
        return regions.computeIfAbsent(name, _ -> new TreeMap<>());
    }

    /** Receives a value that has expired. */
    @FunctionalInterface
    public interface Expired {
        void accept(Object key, byte[] value);
    }

    /**
     * Runs expiry of a region of blocks, unless the servers' clock has jumped.
     *
     * @param removed receives each block that goes
     */
    public void expireBlocks(String name, Retention retention, Expired removed) {
        NavigableMap<Object, byte[]> values = region(name);
        List<StoredBlock> blocks = new ArrayList<>();
        values.forEach((key, value) -> blocks.add(new StoredBlock(
                (Long) key,
                stamp(name, key).millis,
                value.length,
                Block.peekCount(value).orElse(0))));
        Long bytes = retention.bytes();
        try {
            ExpiredBlocks.of(
                            blocks,
                            retention,
                            this::latest,
                            ExpiryScheduler.steadyTime(steadyClock),
                            bytes == null ? Long.MAX_VALUE : bytes)
                    .forEach(block -> {
                        removed.accept(block.key(), expire(name, block.key(), bytes == null));
                        expiredBlocks.add(lock(name, block.key()));
                    });
        } catch (IllegalStateException e) {
            // the clock has jumped
        }
    }

    /** Runs expiry of a region of entries, unless the servers' clock has jumped. Called by fibers. */
    public void expireEntries(String name, Expired removed) {
        try {
            new EntryExpiry(name, MAX_AGE, this::latest, new ExpiringEntries(name, removed))
                    .run(ExpiryScheduler.steadyTime(steadyClock));
        } catch (IllegalStateException e) {
            // the clock has jumped
        }
    }

    private long latest(long shownMillis) {
        return checksJumps ? steadyClock.latest(shownMillis) : shownMillis;
    }

    /** As the servers do each second. */
    public void compareClocks() {
        var _ = steadyClock.millis();
    }

    /** The entries of a region on the members with their primary copies. */
    private final class ExpiringEntries implements EntryExpiry.Entries {

        private final String name;
        private final Expired removed;

        ExpiringEntries(String name, Expired removed) {
            this.name = name;
            this.removed = removed;
        }

        @Override
        public void each(LocalValues.Visitor visitor) {
            List.copyOf(region(name).keySet()).forEach(key -> visitor.visit(key, stamp(name, key).millis));
        }

        @Override
        public OptionalLong version(Object key, long storedUpTo) {
            Stamp stamp = stamps.get(lock(name, key));
            return stamp == null || stamp.millis > storedUpTo ? OptionalLong.empty() : OptionalLong.of(stamp.version);
        }

        @Override
        public boolean expire(Object key, long version) {
            simulation.sleep(simulation.millis(3)); // the request to remove it
            Stamp stamp = stamps.get(lock(name, key));
            if (stamp == null || stamp.version != version) {
                return false;
            }
            removed.accept(key, SimulatedCluster.this.expire(name, key, true));
            return true;
        }
    }

    private byte[] expire(String name, Object key, boolean byAge) {
        Stamp stamp = stamp(name, key);
        Duration age = Duration.ofNanos(simulation.now() - stamp.nanos);
        if (byAge && age.plus(CLOCK_TOLERANCE).compareTo(MAX_AGE) < 0) {
            throw new AssertionError("expired too early: " + key + " of region " + name + " after " + age);
        }
        return Objects.requireNonNull(remove(name, key));
    }

    private Stamp stamp(String name, Object key) {
        return Objects.requireNonNull(stamps.get(lock(name, key)));
    }

    private static String lock(String region, Object key) {
        return region + "/" + key;
    }

    /**
     * When a value was stored.
     *
     * @param millis by the servers' clock
     * @param nanos in virtual time
     */
    private record Stamp(long millis, long nanos, long version) {}

    private record StampedValue(byte[] bytes, Stamp stamp) {}

    /** Has entries of these regions not replaced by older ones, if a field orders them. */
    public void order(Collection<RegionDefinition> regions) {
        for (RegionDefinition region : regions) {
            LatestField latest = LatestField.of(region, EntryVersions.of(region));
            if (latest != null) {
                orders.put(region.name(), latest);
            }
        }
    }

    private void store(String name, Object key, byte[] sent) {
        byte[] before = region(name).get(key);
        LatestField latest = orders.get(name);
        byte[] value = latest != null && before != null && latest.isOlder(key, sent, before) ? before : sent;
        if (expiredBlocks.contains(lock(name, key))) {
            throw new AssertionError("stored again after it had expired: block " + key + " of region " + name);
        }
        Stamp stamp = new Stamp(clock.millis(), simulation.now(), sequences++);
        SimulatedDisks.Change change =
                new SimulatedDisks.Change(name, key, new StampedValue(value.clone(), stamp), true);
        disks.add(change);
        apply(change);
    }

    private byte @Nullable [] remove(String name, Object key) {
        disks.add(new SimulatedDisks.Change(name, key, null, true));
        stamps.remove(lock(name, key));
        return region(name).remove(key);
    }

    /** A thread of a client. */
    final class Client {

        private final String thread;

        Client(String thread) {
            this.thread = thread;
        }

        /** Sends a request and waits for its answer. */
        private <T> T request(Supplier<T> body) {
            return request(fates, body);
        }

        /** @param cases of so many requests, six are late, lost or not answered */
        private <T> T request(int cases, Supplier<T> body) {
            Answer<T> answer = new Answer<>();
            int fate = faulty ? simulation.random().nextInt(cases) : cases;
            long delay = fate < 3
                    ? simulation.millis(20_000)
                    : fate < cases / 3 ? simulation.millis(40) : simulation.millis(1);
            if (!faulty) {
                simulation.sleep(delay);
                answer.run(body);
                return answer.get();
            }
            if (fate != 3 && disks.online()) { // else the request is lost
                underWay++;
                server.startAfter(delay, () -> {
                    simulation.await(() -> simulation.now() >= unavailableUntil, Long.MAX_VALUE / 2);
                    answer.run(body);
                    underWay--;
                });
            }
            boolean lost = fate == 4 || fate == 5;
            if (!simulation.await(() -> answer.done && !lost, REQUEST_TIMEOUT)) {
                throw new StoreException("no answer");
            }
            return answer.get();
        }

        private void write(String region, Object key, long sequence, Term term, Runnable change) {
            write(region, key, false, sequence, term, change);
        }

        private void write(String region, Object key, boolean bulk, long sequence, Term term, Runnable change) {
            String lock = lock(region, key);
            simulation.await(() -> !locked.contains(lock), Long.MAX_VALUE / 2);
            boolean answerLost = moves(key) && simulation.oneIn(2);
            if (!answerLost) {
                simulation.await(() -> !moves(key) && !locked.contains(lock), Long.MAX_VALUE / 2);
            }
            locked.add(lock);
            try {
                terms.beforeUpdate(checked.of(region, key, term));
                if (faulty && simulation.oneIn(12)) {
                    simulation.sleep(simulation.millis(simulation.oneIn(4) ? 9_000 : 3));
                }
                writeInOrder(bulk ? lock + "/bulk" : lock, sequence, change);
                if (answerLost) {
                    throw new StoreException("the bucket has moved");
                }
            } finally {
                locked.remove(lock);
            }
        }

        /** As Geode does: an earlier request of the same kind and thread that arrives later is ignored. */
        private void writeInOrder(String key, long sequence, Runnable change) {
            if (!checksOrder || sequence > lastSequences.getOrDefault(thread + key, -1L)) {
                lastSequences.put(thread + key, sequence);
                change.run();
            }
        }

        Values values(String name) {
            return new ClientValues(this, name);
        }

        <V> SharedMap<V> map(String name, LocalMap<V> map) {
            return new ClientMap<>(this, name, map);
        }

        SharedMap<String> writers(boolean persistent) {
            return map("writers" + persistent, of(writers, persistent));
        }

        SharedMap<String> commits(boolean persistent) {
            return map("commits" + persistent, of(commits, persistent));
        }

        SharedMap<String> rules(boolean persistent) {
            return map("rules" + persistent, of(rules, persistent));
        }

        SharedMap<byte[]> states(boolean persistent) {
            return map("states" + persistent, of(states, persistent));
        }

        SharedMap<String> leases() {
            return map("leases", leases);
        }
    }

    /** A write as Geode shows it to the check, which is over before the next one. */
    private static final class CheckedWrite {

        private final EntryEvent<Object, Object> event = event();
        private String region = "";
        private Object key = "";
        private String proof = "";

        EntryEvent<Object, Object> of(String newRegion, Object newKey, Term term) {
            region = newRegion;
            key = newKey;
            proof = term.proof();
            return event;
        }

        @SuppressWarnings("unchecked")
        private EntryEvent<Object, Object> event() {
            return proxy(EntryEvent.class, method -> switch (method) {
                case "getCallbackArgument" -> proof;
                case "getKey" -> key;
                case "getRegion" -> proxy(Region.class, name -> name.equals("getName") ? region : null);
                default -> null;
            });
        }

        /** @param results gives those of its methods, null for others */
        private static <T> T proxy(Class<T> type, Function<String, @Nullable Object> results) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (_, method, _) -> results.apply(method.getName())));
        }
    }

    private static <V> LocalMap<V> of(Map<Boolean, LocalMap<V>> maps, boolean persistent) {
        LocalMap<V> map = maps.get(persistent);
        if (map == null) {
            throw new IllegalStateException();
        }
        return map;
    }

    /** What a request comes to. */
    private static final class Answer<T> {
        private boolean done;
        private @Nullable T result;
        private @Nullable RuntimeException failure;

        void run(Supplier<T> body) {
            try {
                result = body.get();
            } catch (RuntimeException e) {
                failure = e;
            }
            done = true;
        }

        @SuppressWarnings("NullAway") // null where the body gave null
        T get() {
            if (failure != null) {
                throw Causes.failure("failed", failure);
            }
            return result;
        }
    }

    /** A region as a client sees it. */
    private final class ClientValues implements Values {

        private final Client client;
        private final String name;

        ClientValues(Client client, String name) {
            this.client = client;
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Set<Object> keys() {
            return client.request(() -> new HashSet<>(region(name).keySet()));
        }

        @Override
        public byte @Nullable [] get(Object key) {
            return client.<byte @Nullable []>request(() -> region(name).get(key));
        }

        @Override
        public long put(Object key, byte[] value, Term term) {
            long sequence = sequences++;
            client.request(losesPuts ? FATES_OF_LOST_PUTS : fates, () -> {
                client.write(name, key, sequence, term, () -> store(name, key, value));
                return 0;
            });
            return 1;
        }

        @Override
        public long putAll(Map<Object, byte[]> values, Term term) {
            Map<Object, byte[]> sent = new HashMap<>(values); // the caller's own changes before a late request arrives
            return each(sent.keySet(), term, key -> store(name, key, Objects.requireNonNull(sent.get(key))));
        }

        @Override
        public byte @Nullable [] putIfAbsent(Object key, byte[] value, Term term) {
            long sequence = sequences++;
            return client.<byte @Nullable []>request(() -> {
                byte[] present = region(name).get(key);
                if (!waitsForWrites && present != null) {
                    return present;
                }
                List<byte[]> before = new ArrayList<>();
                client.write(name, key, sequence, term, () -> {
                    byte[] there = region(name).get(key);
                    if (there == null) {
                        store(name, key, value);
                    } else {
                        before.add(there);
                    }
                });
                return before.isEmpty() ? null : before.getFirst();
            });
        }

        @Override
        public long removeAll(Collection<?> keys, Term term) {
            if (!removesProvisional && keys.stream().allMatch(key -> key instanceof Long block && block < 0)) {
                return 0;
            }
            return each(keys, term, key -> SimulatedCluster.this.remove(name, key));
        }

        /** Key by key; one that fails leaves the others before it done. */
        private long each(Collection<?> keys, Term term, Consumer<Object> change) {
            List<Object> copy = new ArrayList<>(keys);
            long sequence = sequences++;
            boolean partly = faulty && simulation.oneIn(25);
            client.request(() -> {
                for (Object key : copy) {
                    if (partly && simulation.oneIn(4)) {
                        throw new StoreException("partly carried out");
                    }
                    client.write(name, key, true, sequence, term, () -> change.accept(key));
                }
                return 0;
            });
            return 1;
        }
    }

    /** A shared map as a client sees it. */
    private final class ClientMap<V> implements SharedMap<V> {

        private final Client client;
        private final String name;
        private final LocalMap<V> map;

        /** Has the disks take over a change of a key. Leases have none. */
        private <T> T changed(String key, T result) {
            if (maps.containsKey(name)) {
                disks.add(new SimulatedDisks.Change(name, key, map.get(key), true));
            }
            return result;
        }

        /** The same for a change that is made in a term. */
        private void changed(String key, Term term) {
            disks.add(new SimulatedDisks.Change(name, key, map.get(key), registry.isCurrent(term.proof())));
        }

        private void changed(String key) {
            var _ = changed(key, true);
        }

        ClientMap(Client client, String name, LocalMap<V> map) {
            this.client = client;
            this.name = name;
            this.map = map;
        }

        @Override
        public @Nullable V get(String key) {
            return client.<@Nullable V>request(() -> map.get(key));
        }

        @Override
        public @Nullable V peek(String key) {
            return get(key);
        }

        @Override
        public Set<String> keys() {
            return client.request(() -> new TreeSet<>(map.keys())); // in the same order in each JVM
        }

        @Override
        public Map<String, V> getAll(Collection<String> keys) {
            return client.request(() -> map.getAll(keys));
        }

        @Override
        public void put(String key, V value, Term term) {
            if (!checksCommits && name.startsWith("commits")) {
                putOwn(key, value);
                return;
            }
            long sequence = sequences++;
            client.request(() -> {
                client.write(name, key, sequence, term, () -> {
                    map.put(key, value, term);
                    changed(key, term);
                });
                return 0;
            });
        }

        @Override
        public void putOwn(String key, V value) {
            long sequence = sequences++;
            client.request(() -> {
                client.writeInOrder(name + "/" + key, sequence, () -> {
                    map.putOwn(key, value);
                    changed(key);
                });
                return 0;
            });
        }

        @Override
        public @Nullable V putIfAbsent(String key, V value) {
            return client.<@Nullable V>request(() -> {
                V existing = map.putIfAbsent(key, value);
                changed(key);
                return existing;
            });
        }

        @Override
        public boolean replace(String key, V expected, V value) {
            return client.request(() -> changed(key, map.replace(key, expected, value)));
        }

        @Override
        public void remove(String key, Term term) {
            long sequence = sequences++;
            client.request(() -> {
                client.write(name, key, sequence, term, () -> {
                    map.remove(key, term);
                    changed(key, term);
                });
                return 0;
            });
        }

        @Override
        public void removeOwn(String key) {
            long sequence = sequences++;
            client.request(() -> {
                client.writeInOrder(name + "/" + key, sequence, () -> {
                    map.removeOwn(key);
                    changed(key);
                });
                return 0;
            });
        }

        @Override
        public boolean remove(String key, V expected) {
            return client.request(() -> changed(key, map.remove(key, expected)));
        }
    }
}
