package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import hostile.HostileFunction;
import io.millrace.ChildJvm;
import io.millrace.FreePort;
import io.millrace.TestTimeout;
import io.millrace.corpus.StoreCorpus;
import io.millrace.expression.function.ExpressionFunction;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.nemesis.SystemFaults;
import io.millrace.store.CompactOrders;
import io.millrace.store.Trades;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.access.DeserializationFilter;
import io.millrace.store.geode.access.User;
import io.millrace.store.geode.access.UserRole;
import io.millrace.store.geode.admin.ClusterData;
import io.millrace.store.geode.admin.StoredData;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.store.geode.cache.ClusterOptions.Address;
import io.millrace.store.geode.cache.ClusterOptions.Tls;
import io.millrace.store.geode.cache.GeodeMemory;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.cluster.LocatorMember;
import io.millrace.store.geode.cluster.Member;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.Memory;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.Retention;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.geode.cache.execute.FunctionService;
import org.jspecify.annotations.Nullable;

/** A locator or server of a cluster, in a process of its own that ends with the one that started it. */
final class ForkedMember implements AutoCloseable {

    /**
     * In the service, Spring Boot configures it. The JVM removes loggers, with their levels, to which nothing refers.
     */
    private static final Logger JGROUPS_LOG = Logger.getLogger("org.jgroups");

    /** A region whose old blocks go by themselves. */
    static final String SHORT = "short";

    /** A region that keeps everything. */
    static final String LONG = "long";

    /** A region of entries in the order of their days, with a redundant copy. */
    static final String LATEST = "latest";

    /** A region of compact records with columns. */
    static final RegionDefinition ORDERS = new RegionDefinition(
            "orders", Layout.BLOCKS, 0, false, CompactOrders.SCHEMA, List.of("id"), null, 100, BlockEncoding.COLUMNS);

    /** The name of a server with the regions of {@link StoreCorpus}, and of a second one. */
    static final List<String> CORPUS = List.of("corpus-one", "corpus-two");

    /** The region of a layout that has no redundant copies, so that its buckets can move anywhere. */
    static String single(Layout layout) {
        return "single-" + layout.tag();
    }

    /** {@code #slowly(id)} is true after some time. */
    static final FunctionRegistry FUNCTIONS =
            FunctionRegistry.of(List.of(ExpressionFunction.ofStatic("slowly", Slow.class, "slowly")));

    /** Public, so that expressions may call it. */
    public static final class Slow {

        private static final long NANOS = 100_000;

        private Slow() {}

        public static boolean slowly(long id) {
            if (id % 4 == 0) {
                LockSupport.parkNanos(NANOS);
            }
            return true;
        }
    }

    /** A region of entries on disk. */
    static final String STORED = "stored";

    /** Users of a guarded cluster, each with its name as the password. */
    static final Map<String, User> USERS = Map.of(
            "peer", new User("peer", UserRole.MEMBER),
            "feeds", new User("feeds", UserRole.INGEST),
            "desk", new User("desk", UserRole.READER));

    /** The password of the file of {@link #KEYS}. */
    static final String KEY_PASSWORD = "changeit";

    /** Property with the file of the members' key and certificate, if their connections are encrypted. */
    static final String KEYS = "millrace.test.keys";

    /** Properties of this JVM that those of members have too. */
    private static final List<String> INHERITED = List.of(
            KEYS,
            "BridgeServer.acceptTimeout",
            "gemfire.TcpServer.READ_TIMEOUT",
            "gemfire.Cache.defaultLockLease",
            "gemfire.socket-lease-time");

    private static final List<String> CONNECTION_TIMEOUTS =
            List.of("BridgeServer.acceptTimeout", "gemfire.TcpServer.READ_TIMEOUT");

    /** Longer than any test waits for the end of a connection. */
    private static final String LONGER_THAN_TESTS_MS = String.valueOf(2 * TestTimeout.MAX.toMillis());

    private static final String GUARDED = "guarded-";
    private static final String STORING = "storing";
    private static final String EVOLVING = "evolving-";
    private static final String PORT = "port=";
    private static final String READY = "ready";
    private static final String COPIED = "all values are copied";

    private final Process process;
    /** What it writes, empty once it has ended. A process that nobody reads stops when the pipe is full. */
    private final BlockingQueue<Optional<String>> output = new LinkedBlockingQueue<>();

    private ForkedMember(Process process) {
        this.process = process;
        Thread.ofPlatform().daemon().start(this::readOutput); // a virtual one would keep its carrier while it reads
    }

    private void readOutput() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(line -> output.add(Optional.of(line)));
        } catch (IOException | UncheckedIOException e) {
            // it was killed
        }
        output.add(Optional.empty());
    }

    static ForkedMember locator(Path folder, int port) throws IOException {
        return start("locator", folder.toString(), String.valueOf(port));
    }

    /** A locator with faults of the system. */
    static ForkedMember locator(Path folder, int port, SystemFaults faults) throws IOException {
        return start(faults.environment(), "locator", folder.toString(), String.valueOf(port));
    }

    static ForkedMember server(String name, String zone, int locator) throws IOException {
        return start(name, zone, String.valueOf(locator));
    }

    /** A server with faults of the system. */
    static ForkedMember server(String name, String zone, int locator, SystemFaults faults) throws IOException {
        return start(faults.environment(), name, zone, String.valueOf(locator));
    }

    /** A locator of a cluster that has {@link #USERS}. */
    static ForkedMember guardedLocator(Path folder, int port) throws IOException {
        return start(GUARDED + "locator", folder.toString(), String.valueOf(port));
    }

    /** A server of that cluster. */
    static ForkedMember guardedServer(String name, String zone, int locator) throws IOException {
        return start(GUARDED + name, zone, String.valueOf(locator));
    }

    /** A client that queries a region again and again, as {@link QueryLoop} does. */
    static ForkedMember client(String region, int locator) throws IOException {
        return start("client", region, String.valueOf(locator));
    }

    /** A server with one region on disk, and the states of measures. */
    static ForkedMember storing(Path folder, int locator) throws IOException {
        return start(STORING, folder.toString(), String.valueOf(locator));
    }

    /** A server with the regions of {@link EvolvingRegions}, of a version. */
    static ForkedMember evolving(int version, Path folder, int locator) throws IOException {
        return start(EVOLVING + version, folder.toString(), String.valueOf(locator));
    }

    /** A tool that removes a region, and writes a line of what came of it. */
    static ForkedMember removing(String region, int locator) throws IOException {
        return start("removing", region, String.valueOf(locator));
    }

    private static ForkedMember start(String... arguments) throws IOException {
        return start(Map.of(), arguments);
    }

    private static ForkedMember start(Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = ChildJvm.command(ForkedMember.class, arguments);
        command.add(1, "-XX:+ExitOnOutOfMemoryError"); // as the service
        INHERITED.stream()
                .filter(name -> System.getProperty(name) != null)
                .forEach(name -> command.add(1, "-D" + name + "=" + System.getProperty(name)));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
        builder.environment().putAll(environment);
        return new ForkedMember(builder.start());
    }

    /** Lets members that start from now on wait for what connections send, until it is undone. */
    static void keepIdleConnections() {
        CONNECTION_TIMEOUTS.forEach(name -> System.setProperty(name, LONGER_THAN_TESTS_MS));
    }

    static void endIdleConnections() {
        CONNECTION_TIMEOUTS.forEach(System::clearProperty);
    }

    /** Returns the port that a server serves clients on, before it is ready. */
    int port() throws IOException {
        return Integer.parseInt(awaitLine(PORT).substring(PORT.length()));
    }

    /** Returns once it has written a line with this text. */
    String awaitLine(String text) throws IOException {
        for (String line = line(); line != null; line = line()) {
            if (line.contains(text)) {
                return line;
            }
        }
        throw new IOException("a member ended before it wrote '" + text + "'");
    }

    /** Returns once it serves. */
    ForkedMember awaitReady() throws IOException {
        awaitLine(READY);
        return this;
    }

    /** Returns once such a server has seen that all values have their copies. */
    void awaitCopies() throws IOException {
        awaitLine(COPIED);
    }

    /** The next line that it writes, or null once it has ended. */
    @Nullable
    String line() throws IOException {
        try {
            Optional<String> line = output.poll(TestTimeout.MAX.toSeconds(), TimeUnit.SECONDS);
            if (line == null) {
                throw new IOException("a member wrote nothing in time");
            }
            return line.orElse(null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Returns all lines that it has not been asked for, once it has ended. */
    String rest() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (String line = line(); line != null; line = line()) {
            lines.append(line).append('\n');
        }
        return lines.toString();
    }

    /** Returns the process. */
    ProcessHandle handle() {
        return process.toHandle();
    }

    /** Has it leave its cluster in good order, and returns once it has. */
    void leave() throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(TestTimeout.MAX)) {
            process.destroyForcibly();
            throw new AssertionError("a member did not leave within a minute: pid=" + process.pid());
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** Joins as a server with both regions. */
    static GeodeStore join(String name, String zone, int locator) throws IOException {
        int port = FreePort.next();
        System.out.println(PORT + port);
        ClusterOptions cluster = options(name, zone, locator, port);
        if (name.startsWith(GUARDED)) {
            FunctionService.registerFunction(new HostileFunction(Path.of("never"))); // for clients to try by its id
        }
        GeodeStore store = new GeodeStore(
                new GeodeOptions(null, GeodeOptions.DEFAULT_BUCKETS, cluster, false, GeodeMemory.HEAP, 0), FUNCTIONS);
        // Servers may differ in this.
        store.open(region(SHORT, new Retention(Duration.ofSeconds(zone.equals("a") ? 1 : 2), null)));
        store.open(region(LONG, Retention.FOREVER));
        store.open(ORDERS);
        store.open(new RegionDefinition(
                LATEST,
                Layout.ENTRIES,
                1,
                false,
                Trades.SCHEMA,
                List.of("id"),
                null,
                "day",
                1,
                BlockEncoding.ROWS,
                Retention.FOREVER,
                Memory.HEAP,
                List.of()));
        if (CORPUS.contains(name)) {
            new StoreCorpus().regions().forEach(store::open);
        }
        for (Layout layout : Layout.values()) {
            store.open(single(layout, single(layout)));
        }
        store.serve();
        return store;
    }

    /** Joins as a server with the region on disk. */
    static GeodeStore join(Path folder, int locator, String... key) throws IOException {
        GeodeStore store =
                new GeodeStore(GeodeOptions.member(folder, options(STORING, null, locator, FreePort.next())));
        try {
            store.open(stored(key));
            store.openStates(true);
            store.serve();
            return store;
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /** Joins as a server with regions whose schema has versions. */
    static GeodeStore joinEvolving(int version, Path folder, int locator) {
        ClusterOptions cluster = options(EVOLVING + folder.getFileName(), null, locator, FreePort.next());
        GeodeStore store =
                new GeodeStore(new GeodeOptions(folder, EvolvingRegions.BUCKETS, cluster, false, GeodeMemory.HEAP, 0));
        try {
            EvolvingRegions.definitions(version).forEach(store::open);
            store.serve();
            return store;
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /** Writes a line once all values have their copies. */
    private static void reportCopies(GeodeStore store) {
        await().atMost(TestTimeout.MAX)
                .untilAsserted(() -> assertThatCode(store::requireCopies).doesNotThrowAnyException());
        System.out.println(COPIED);
    }

    /** The region on disk. */
    static RegionDefinition stored(String... key) {
        return new RegionDefinition(STORED, Layout.ENTRIES, 0, true, Trades.SCHEMA, List.of(key), 16);
    }

    /** How a client reaches the cluster. */
    static ClusterOptions client(int locator) {
        return options("client", null, locator, 0);
    }

    private static RegionDefinition region(String name, Retention retention) {
        return new RegionDefinition(
                name,
                Layout.BLOCKS,
                1,
                false,
                Trades.SCHEMA,
                List.of("id"),
                null,
                4,
                BlockEncoding.ROWS,
                retention,
                Memory.HEAP);
    }

    private static RegionDefinition single(Layout layout, String name) {
        return new RegionDefinition(name, layout, 0, false, Trades.SCHEMA, List.of("id"), 4);
    }

    /** How a locator serves a cluster of its own. */
    static ClusterOptions locatorOptions(int port) {
        return options("locator", null, port, port);
    }

    /** How a client reaches a guarded cluster. */
    static ClusterOptions client(int locator, String user) {
        return ClusterOptions.client(
                List.of(new Address("127.0.0.1", locator)), tls(), new ClusterOptions.Credentials(user, user));
    }

    private static ClusterOptions options(String name, @Nullable String zone, int locator, int port) {
        boolean guarded = name.startsWith(GUARDED);
        return new ClusterOptions(
                name,
                List.of(new Address("127.0.0.1", locator)),
                Map.of(),
                "127.0.0.1",
                null,
                port,
                Duration.ofSeconds(5),
                zone,
                tls(),
                guarded ? new ClusterOptions.Credentials("peer", "peer") : null,
                guarded ? USERS : Map.of(),
                0,
                1,
                Duration.ofSeconds(2));
    }

    /** Creates a file for {@link #KEYS}. */
    static Path selfSigned(Path folder) throws IOException, InterruptedException {
        Path keys = folder.resolve("keys.p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder((keytool
                                + " -genkeypair -alias member -keyalg EC -dname CN=localhost -storetype PKCS12 -storepass "
                                + ForkedMember.KEY_PASSWORD + " -keystore " + keys)
                        .split(" "))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(output);
        }
        return keys;
    }

    private static @Nullable Tls tls() {
        String keys = System.getProperty(KEYS);
        return keys == null ? null : new Tls(Path.of(keys), Path.of(keys), KEY_PASSWORD);
    }

    /** Removes a region, and writes what came of it. */
    private static void remove(String region, int locator) {
        try (StoredData data = new ClusterData(client(locator))) {
            data.remove(region);
            System.out.println("removed");
        } catch (StoreException e) {
            System.out.println(e.getMessage());
        }
    }

    static void main(String[] args) throws IOException {
        DeserializationFilter.install(false); // as the executable does
        JGROUPS_LOG.setLevel(Level.WARNING);
        int locator = Integer.parseInt(args[2]);
        if (args[0].equals("client")) {
            QueryLoop.run(args[1], List.of(new Address("127.0.0.1", locator)));
        }
        if (args[0].equals("removing")) {
            remove(args[1], locator);
            System.exit(0);
        }
        Member member = switch (args[0]) {
            case "locator", GUARDED + "locator" ->
                new LocatorMember(Path.of(args[1]), options(args[0], null, locator, locator));
            case STORING -> join(Path.of(args[1]), locator, "id");
            default ->
                args[0].startsWith(EVOLVING)
                        ? joinEvolving(
                                Integer.parseInt(args[0].substring(EVOLVING.length())), Path.of(args[1]), locator)
                        : join(args[0], args[1], locator);
        };
        System.out.println(READY);
        if (member instanceof GeodeStore store && args[0].startsWith(EVOLVING)) {
            Thread.ofPlatform().daemon().start(() -> reportCopies(store));
        }
        int end = System.in.read(); // until the process that started this one has gone
        boolean open = member.isOpen();
        member.close();
        System.exit(open ? end : 1);
    }
}
