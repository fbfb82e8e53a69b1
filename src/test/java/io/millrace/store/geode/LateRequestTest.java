package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.nemesis.HeldRequest;
import io.millrace.nemesis.NetworkNemesis;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.cache.GeodeProperties;
import io.millrace.store.geode.query.QueryExecutor;
import io.millrace.store.geode.query.QueryFunction;
import io.millrace.store.geode.query.RegionQuery;
import io.millrace.store.geode.shared.Leases;
import io.millrace.store.geode.shared.SharedMaps;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.client.ClientCache;
import org.apache.geode.cache.client.ClientCacheFactory;
import org.apache.geode.cache.client.ClientRegionShortcut;
import org.apache.geode.cache.client.SocketFactory;
import org.apache.geode.internal.cache.LocalRegion;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The assumption about Geode that the protocol of writers is built on, and that {@link SimulatedCluster} simulates: a
 * request that arrives late, after its sender's timeout and after a later change of the same key by the same thread of
 * the client, changes nothing. It is tested for each kind of change that Millrace makes, in each kind of region.
 */
@Tag("long")
class LateRequestTest {

    private static final int READ_TIMEOUT_MS = 10_000;
    private static final String DONE = "done";
    /** So many that both servers are asked. */
    private static final int READS = 20;

    private static final byte[] BEFORE = "before".getBytes(StandardCharsets.UTF_8);
    private static final byte[] LATE = "late".getBytes(StandardCharsets.UTF_8);
    private static final byte[] LATER = "later".getBytes(StandardCharsets.UTF_8);

    private static final String WRITERS = SharedMaps.WRITERS + "-in-memory";
    private static final String COMMITS = "millrace-commits-in-memory";

    @TempDir
    static Path folder;

    private static final List<ForkedMember> MEMBERS = new ArrayList<>();

    /** By the port of the server that each is in front of. */
    private static final Map<Integer, NetworkNemesis> NETWORK = new ConcurrentHashMap<>();

    private static int locator;
    private static String proof = "";

    private @Nullable ClientCache client;

    /** A change of a key. */
    private interface Change {
        void apply(Region<Object, Object> region, Object key);
    }

    /**
     * A change that is delayed, and a later one.
     *
     * @param existing whether the key has a value before
     */
    private record Scenario(String region, String name, boolean existing, Change delayed, Change later) {

        Object key(int number) {
            return region.equals(ForkedMember.LONG) ? (Object) (0x4C41_5445_0000_0000L + number) : "late-key-" + number;
        }
    }

    /**
     * What came of a scenario.
     *
     * @param outcome result that the sender of the delayed request has received
     * @param before the value before the late request arrived
     * @param after the value after the late request was answered
     */
    private record Result(Scenario scenario, String outcome, String before, String after) {

        private boolean changed() {
            return !before.equals(after);
        }

        @Override
        public String toString() {
            return scenario.region() + ": " + scenario.name() + ": " + before + " -> " + after + " (" + outcome + ")";
        }
    }

    /** Bytes of a key that a request for it contains. */
    private static byte[] bytes(Object key) {
        return key instanceof Long number
                ? ByteBuffer.allocate(Long.BYTES).putLong(number).array()
                : ((String) key).getBytes(StandardCharsets.UTF_8);
    }

    private static Change put(byte[] value) {
        return (region, key) -> region.put(key, value, proof);
    }

    private static Change putAll(byte[] value) {
        return (region, key) -> region.putAll(Map.of(key, value), proof);
    }

    private static Change putIfAbsent(byte[] value) {
        return (region, key) -> ((LocalRegion) (Region<?, ?>) region).putIfAbsent(key, value, proof);
    }

    private static final Change REMOVE_ALL = (region, key) -> region.removeAll(List.of(key), proof);
    private static final Change DESTROY = (region, key) -> region.destroy(key, proof);

    private static Change replace(byte[] expected, byte[] value) {
        return (region, key) -> region.replace(key, expected, value);
    }

    private static Change remove(byte[] expected) {
        return (region, key) -> region.remove(key, expected);
    }

    /** Changes of the same kind: both of a single key, or both in bulk. */
    private static List<Scenario> scenarios() {
        List<Scenario> all = new ArrayList<>();
        String blocks = ForkedMember.LONG;
        all.add(new Scenario(blocks, "put, put", false, put(LATE), put(LATER)));
        all.add(new Scenario(blocks, "put, destroy", false, put(LATE), DESTROY));
        all.add(new Scenario(blocks, "putIfAbsent, destroy", false, putIfAbsent(LATE), DESTROY));
        all.add(new Scenario(blocks, "putIfAbsent, put", false, putIfAbsent(LATE), put(LATER)));
        all.add(new Scenario(blocks, "putAll, putAll", false, putAll(LATE), putAll(LATER)));
        all.add(new Scenario(blocks, "putAll, removeAll", false, putAll(LATE), REMOVE_ALL));
        all.add(new Scenario(blocks, "removeAll, putAll", true, REMOVE_ALL, putAll(LATER)));
        for (String region : List.of(COMMITS, Leases.REGION)) {
            all.add(new Scenario(region, "put, put", true, put(LATE), put(LATER)));
            all.add(new Scenario(region, "put, destroy", true, put(LATE), DESTROY));
            all.add(new Scenario(region, "destroy, put", true, DESTROY, put(LATER)));
        }
        all.add(new Scenario(WRITERS, "putIfAbsent, destroy", false, putIfAbsent(LATE), DESTROY));
        all.add(new Scenario(WRITERS, "putIfAbsent, put", false, putIfAbsent(LATE), put(LATER)));
        all.add(new Scenario(WRITERS, "replace, put", true, replace(BEFORE, LATE), put(LATER)));
        all.add(new Scenario(WRITERS, "replace, put the same", true, replace(BEFORE, LATE), put(BEFORE)));
        all.add(new Scenario(WRITERS, "remove, put the same", true, remove(BEFORE), put(BEFORE)));
        return all;
    }

    /** Changes of different kinds. */
    private static List<Scenario> mixed() {
        String blocks = ForkedMember.LONG;
        return List.of(
                new Scenario(blocks, "put, putAll", false, put(LATE), putAll(LATER)),
                new Scenario(blocks, "put, removeAll", false, put(LATE), REMOVE_ALL),
                new Scenario(blocks, "putIfAbsent, removeAll", false, putIfAbsent(LATE), REMOVE_ALL),
                new Scenario(blocks, "putAll, put", false, putAll(LATE), put(LATER)),
                new Scenario(blocks, "removeAll, put", true, REMOVE_ALL, put(LATER)));
    }

    @BeforeAll
    static void start() throws Exception {
        locator = FreePort.next();
        MEMBERS.add(ForkedMember.locator(folder, locator).awaitReady());
        for (String name : List.of("one", "two")) {
            ForkedMember server = ForkedMember.server(name, name, locator);
            MEMBERS.add(server);
            int port = server.port();
            NETWORK.put(port, new NetworkNemesis(port));
        }
        for (ForkedMember server : MEMBERS.subList(1, MEMBERS.size())) {
            server.awaitReady();
        }
        try (GeodeStore store =
                new GeodeStore(GeodeOptions.client(ForkedMember.client(locator)), ForkedMember.FUNCTIONS)) {
            Term term = Objects.requireNonNull(
                    store.claim(WriterName.of("late", 0), false).term());
            proof = term.proof();
        }
    }

    @AfterAll
    static void stop() throws IOException {
        for (NetworkNemesis nemesis : NETWORK.values()) {
            nemesis.close();
        }
        MEMBERS.forEach(ForkedMember::close);
    }

    /**
     * Connects the client. Once it knows which server has a key, it repeats a change of it at another one, even without
     * retries, so it must not know that if nothing is to be repeated.
     */
    private void connect(int retries) {
        client = new ClientCacheFactory(GeodeProperties.client(ForkedMember.client(locator)))
                .addPoolLocator("127.0.0.1", locator)
                .setPoolReadTimeout(READ_TIMEOUT_MS)
                .setPoolRetryAttempts(retries)
                .setPoolPRSingleHopEnabled(retries > 0)
                .setPoolSocketFactory(throughNemesis())
                .create();
    }

    private static SocketFactory throughNemesis() {
        return () -> new Socket() {
            @Override
            public void connect(SocketAddress endpoint, int timeout) throws IOException {
                NetworkNemesis nemesis = NETWORK.get(((InetSocketAddress) endpoint).getPort());
                super.connect(
                        nemesis == null
                                ? endpoint
                                : new InetSocketAddress(InetAddress.getLoopbackAddress(), nemesis.port()),
                        timeout);
            }
        };
    }

    private Region<Object, Object> region(String name) {
        ClientCache open = Objects.requireNonNull(client);
        synchronized (open) {
            Region<Object, Object> region = open.getRegion(name);
            return region != null
                    ? region
                    : open.createClientRegionFactory(ClientRegionShortcut.PROXY).create(name);
        }
    }

    @AfterEach
    void disconnect() throws IOException {
        for (NetworkNemesis nemesis : NETWORK.values()) {
            nemesis.heal();
        }
        if (client != null) {
            client.close();
        }
    }

    /** The client has sent the request again, and the first one arrives behind the second one. */
    @Test
    void shouldIgnoreALateRequestThatWasRetried() throws Exception {
        connect(1);
        List<Result> results = new ArrayList<>(run(scenarios(), 0, true));
        results.addAll(run(mixed(), 100, true));
        assertThat(results)
                .noneMatch(Result::changed)
                .allMatch(result -> result.outcome().equals(DONE));
    }

    /** The client has given up, and its caller has changed the key in another way. */
    @Test
    void shouldIgnoreALateRequestThatWasGivenUp() throws Exception {
        connect(0);
        assertThat(run(scenarios(), 200, true))
                .noneMatch(Result::changed)
                .noneMatch(result -> result.outcome().equals(DONE));
    }

    /**
     * Geode numbers bulk changes separately, so a writer that gives up a change must repeat it in the same way before
     * it changes the key in another way. {@link SimulatedCluster} behaves like this too.
     */
    @Test
    void shouldCarryOutALateRequestThatWasGivenUpBeforeOneOfAnotherKind() throws Exception {
        connect(0);
        assertThat(run(mixed(), 300, true)).allMatch(Result::changed);
    }

    /** So a change by several threads needs a term, a comparison, or the same value for the same key. */
    @Test
    void shouldCarryOutALateRequestOfAnotherThread() throws Exception {
        connect(0);
        assertThat(run(scenarios(), 400, false))
                .filteredOn(result -> !result.changed())
                .extracting(result -> result.scenario().name())
                .containsOnly("putIfAbsent, put", "replace, put");
    }

    /** So a writer may replace a block whose put has succeeded, whichever thread puts it. */
    @Test
    void shouldIgnoreALateRequestThatWasRetriedBeforeOneOfAnotherThread() throws Exception {
        connect(1);
        String blocks = ForkedMember.LONG;
        assertThat(run(
                        List.of(
                                new Scenario(blocks, "put, put", false, put(LATE), put(LATER)),
                                new Scenario(blocks, "put, put of an existing key", true, put(LATE), put(LATER))),
                        500,
                        false))
                .noneMatch(Result::changed)
                .allMatch(result -> result.outcome().equals(DONE));
    }

    /** Without a timeout it would wait for ever for a server whose network is lost. */
    @Test
    @SuppressWarnings({"unchecked", "rawtypes"}) // a query reads no values
    void shouldRepeatAQueryWithoutAnAnswer() throws Exception {
        connect(1);
        Region<Object, byte[]> region = (Region) region(ForkedMember.LONG);
        HeldRequest late =
                new HeldRequest(RegionQuery.Definition.class.getName().getBytes(StandardCharsets.UTF_8));
        NETWORK.values().forEach(nemesis -> nemesis.hold(late));

        assertThat(definitions(region))
                .isNotEmpty()
                .allMatch(definition -> definition.name().equals(ForkedMember.LONG));

        late.awaitHeld();
        late.release();
        late.awaitAnswer();
        assertThat(definitions(region)).isNotEmpty();
    }

    private static List<RegionDefinition> definitions(Region<Object, byte[]> region) {
        return QueryExecutor.executeAll(
                region.getName(), (_, _, _) -> QueryFunction.execute(region, new RegionQuery.Definition(), Set.of()));
    }

    /** Runs scenarios at once, each on threads of its own, and returns their results. */
    private List<Result> run(List<Scenario> scenarios, int firstKey, boolean sameThread) throws Exception {
        List<Future<Result>> results = new ArrayList<>();
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            for (int i = 0; i < scenarios.size(); i++) {
                Scenario scenario = scenarios.get(i);
                Object key = scenario.key(firstKey + i);
                results.add(threads.submit(() -> run(scenario, key, sameThread)));
            }
        }
        List<Result> all = new ArrayList<>();
        for (Future<Result> result : results) {
            all.add(result.get());
        }
        return all;
    }

    private static String outcome(Future<?> change) throws InterruptedException {
        try {
            change.get();
            return DONE;
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause()).getClass().getSimpleName();
        }
    }

    private static String text(@Nullable Object value) {
        return value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(value);
    }

    private Result run(Scenario scenario, Object key, boolean sameThread)
            throws ExecutionException, InterruptedException {
        Region<Object, Object> region = region(scenario.region());
        try (ExecutorService sender = Executors.newSingleThreadExecutor();
                ExecutorService other = Executors.newSingleThreadExecutor()) {
            if (scenario.existing()) {
                sender.submit(() -> put(BEFORE).apply(region, key)).get();
            }
            HeldRequest late = new HeldRequest(bytes(key));
            NETWORK.values().forEach(nemesis -> nemesis.hold(late));
            String outcome = outcome(sender.submit(() -> scenario.delayed().apply(region, key)));
            late.awaitHeld();
            (sameThread ? sender : other)
                    .submit(() -> scenario.later().apply(region, key))
                    .get();
            String expected = settled(region, key);
            late.release();
            late.awaitAnswer();
            return new Result(scenario, outcome, expected, settled(region, key));
        }
    }

    /** Servers do not wait until the other ones have changes of leases, and the client asks any of them. */
    private static String settled(Region<Object, Object> region, Object key) {
        return await().until(
                        () -> Stream.generate(() -> text(region.get(key)))
                                .limit(READS)
                                .distinct()
                                .toList(),
                        values -> values.size() == 1)
                .getFirst();
    }
}
