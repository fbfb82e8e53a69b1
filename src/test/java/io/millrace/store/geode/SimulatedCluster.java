package io.millrace.store.geode;

import io.millrace.simulation.Simulation;
import io.millrace.store.error.StoreException;
import io.millrace.store.error.SupersededException;
import io.millrace.store.geode.cache.ProcessName;
import io.millrace.store.geode.region.Values;
import io.millrace.store.geode.shared.LocalMap;
import io.millrace.store.geode.shared.SharedMap;
import io.millrace.store.geode.shared.StoredRules;
import io.millrace.store.geode.shared.WriterRegistry;
import io.millrace.store.region.BlockKey;
import io.millrace.store.region.Retention;
import io.millrace.store.write.RuleVersions;
import io.millrace.store.write.Term;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
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

    private static final int BUCKETS = 4;

    private final Simulation simulation;
    private final Consumer<Runnable> server;
    private final Map<String, NavigableMap<Object, byte[]>> regions = new HashMap<>();
    private final Map<Boolean, LocalMap<String>> writers = Map.of(true, new LocalMap<>(), false, new LocalMap<>());
    private final Map<Boolean, LocalMap<String>> rules = Map.of(true, new LocalMap<>(), false, new LocalMap<>());
    private final Map<Boolean, LocalMap<String>> commits = Map.of(true, new LocalMap<>(), false, new LocalMap<>());
    private final Map<Boolean, LocalMap<byte[]>> states = Map.of(true, new LocalMap<>(), false, new LocalMap<>());
    private final LocalMap<String> leases = new LocalMap<>();
    private final WriterRegistry registry;
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
    private long unavailableUntil;
    private long movingUntil;
    private int movingBucket;
    private long sequences;
    private long refused;

    /** @param server runs a body as a thread of a server */
    public SimulatedCluster(Simulation simulation, Consumer<Runnable> server) {
        this.simulation = simulation;
        this.server = server;
        this.fates = FATES[simulation.random().nextInt(FATES.length)];
        this.registry = new WriterRegistry(writers::get, null, new ProcessName("server", 1, 1, 0), () -> "unused");
    }

    /** From now on every request is carried out and answered at once. */
    public void heal() {
        faulty = false;
        unavailableUntil = 0;
        movingUntil = 0;
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

    public boolean checksTerms() {
        return checksTerms;
    }

    boolean reportsFailures() {
        return reportsFailures;
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
        return refused;
    }

    /** The versions of rules, as they are stored. */
    public RuleVersions ruleVersions() {
        return new StoredRules(of(rules, true));
    }

    /** What a region holds. */
    public NavigableMap<Object, byte[]> region(String name) {
        return regions.computeIfAbsent(name, _ -> new TreeMap<>());
    }

    /**
     * Removes old blocks, as retention does: of each writer all but the newest may go.
     *
     * @param removed receives each block that goes
     */
    public void sweep(String region, BiConsumer<Long, byte[]> removed) {
        NavigableMap<Object, byte[]> values = region(region);
        Map<Integer, Long> newest = new HashMap<>();
        values.keySet().forEach(key -> newest.merge(BlockKey.number((Long) key), (Long) key, Math::max));
        for (Object key : new ArrayList<>(values.keySet())) {
            long block = (Long) key;
            long staying = newest.getOrDefault(BlockKey.number(block), 0L) - Retention.NEWEST_BLOCKS + 1;
            if (block < staying && simulation.oneIn(2)) {
                removed.accept(block, values.remove(key));
            } else if (block < staying) {
                break; // the blocks of a writer go in their order
            }
        }
    }

    /** A thread of a client. */
    final class Client {

        private final String thread;

        Client(String thread) {
            this.thread = thread;
        }

        /** Sends a request and waits for its answer. */
        private <T> T request(Supplier<T> body) {
            Answer<T> answer = new Answer<>();
            int fate = faulty ? simulation.random().nextInt(fates) : fates;
            long delay = fate < 3
                    ? simulation.millis(20_000)
                    : fate < fates / 3 ? simulation.millis(40) : simulation.millis(1);
            if (fate != 3) { // else the request is lost
                server.accept(() -> {
                    simulation.sleep(delay);
                    simulation.await(() -> simulation.now() >= unavailableUntil, Long.MAX_VALUE / 2);
                    answer.run(body);
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
            String lock = region + "/" + key;
            simulation.await(() -> !locked.contains(lock), Long.MAX_VALUE / 2);
            boolean answerLost = moves(key) && simulation.oneIn(2);
            if (!answerLost) {
                simulation.await(() -> !moves(key) && !locked.contains(lock), Long.MAX_VALUE / 2);
            }
            locked.add(lock);
            try {
                if (checksTerms && !registry.isCurrent(term.proof())) {
                    refused++;
                    throw new SupersededException("refused " + term, null);
                }
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
            if (failure instanceof SupersededException) {
                throw new SupersededException("refused", failure);
            }
            if (failure != null) {
                throw new StoreException("failed: " + failure.getMessage(), failure);
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
            client.request(() -> {
                client.write(name, key, sequence, term, () -> region(name).put(key, value.clone()));
                return 0;
            });
            return 1;
        }

        @Override
        public long putAll(Map<Object, byte[]> values, Term term) {
            Map<Object, byte[]> sent = new HashMap<>(values); // the caller's own changes before a late request arrives
            return each(sent.keySet(), term, key -> region(name).put(key, Objects.requireNonNull(sent.get(key))));
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
                    byte[] there = region(name).putIfAbsent(key, value.clone());
                    if (there != null) {
                        before.add(there);
                    }
                });
                return before.isEmpty() ? null : before.getFirst();
            });
        }

        @Override
        public long removeAll(Collection<?> keys, Term term) {
            return each(keys, term, key -> region(name).remove(key));
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
        public void put(String key, V value, Term term) {
            long sequence = sequences++;
            client.request(() -> {
                client.write(name, key, sequence, term, () -> map.put(key, value, term));
                return 0;
            });
        }

        @Override
        public void putOwn(String key, V value) {
            long sequence = sequences++;
            client.request(() -> {
                client.writeInOrder(name + "/" + key, sequence, () -> map.putOwn(key, value));
                return 0;
            });
        }

        @Override
        public @Nullable V putIfAbsent(String key, V value) {
            return client.<@Nullable V>request(() -> map.putIfAbsent(key, value));
        }

        @Override
        public boolean replace(String key, V expected, V value) {
            return client.request(() -> map.replace(key, expected, value));
        }

        @Override
        public void remove(String key, Term term) {
            long sequence = sequences++;
            client.request(() -> {
                client.write(name, key, sequence, term, () -> map.remove(key, term));
                return 0;
            });
        }

        @Override
        public void removeOwn(String key) {
            long sequence = sequences++;
            client.request(() -> {
                client.writeInOrder(name + "/" + key, sequence, () -> map.removeOwn(key));
                return 0;
            });
        }

        @Override
        public boolean remove(String key, V expected) {
            return client.request(() -> map.remove(key, expected));
        }
    }
}
