package io.millrace.store.geode;

import io.millrace.expression.ExpressionFunction;
import io.millrace.expression.FunctionRegistry;
import io.millrace.store.BlockEncoding;
import io.millrace.store.Layout;
import io.millrace.store.Memory;
import io.millrace.store.RegionDefinition;
import io.millrace.store.Retention;
import io.millrace.store.StoreException;
import io.millrace.store.Trades;
import io.millrace.store.geode.ClusterOptions.Address;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A locator or server of a cluster, in a process of its own that ends with the one that started it. */
final class ForkedMember implements AutoCloseable {

    /** A region whose old blocks go by themselves. */
    static final String SHORT = "short";

    /** A region that keeps everything. */
    static final String LONG = "long";

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

    private static final String STORING = "storing";
    private static final String READY = "ready";

    private final Process process;
    private final BufferedReader output;

    private ForkedMember(Process process) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static ForkedMember locator(Path folder, int port) throws IOException {
        return start("locator", folder.toString(), String.valueOf(port));
    }

    static ForkedMember server(String name, String zone, int locator) throws IOException {
        return start(name, zone, String.valueOf(locator));
    }

    /** A client that queries a region again and again, as {@link QueryLoop} does. */
    static ForkedMember client(String region, int locator) throws IOException {
        return start("client", region, String.valueOf(locator));
    }

    /** A server with one region on disk, and the states of measures. */
    static ForkedMember storing(Path folder, int locator) throws IOException {
        return start(STORING, folder.toString(), String.valueOf(locator));
    }

    /** A tool that removes a region, and writes a line of what came of it. */
    static ForkedMember removing(String region, int locator) throws IOException {
        return start("removing", region, String.valueOf(locator));
    }

    private static ForkedMember start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx256m");
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ForkedMember.class.getName()));
        command.addAll(List.of(arguments));
        return new ForkedMember(
                new ProcessBuilder(command).redirectError(Redirect.INHERIT).start());
    }

    /** Returns once it serves. */
    ForkedMember awaitReady() throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.equals(READY)) {
                return this;
            }
        }
        throw new IOException("a member ended before it served");
    }

    /** The next line that it writes, or null once it has ended. */
    @Nullable
    String line() throws IOException {
        return output.readLine();
    }

    /** Has it leave its cluster in good order, and returns once it has. */
    void leave() throws IOException, InterruptedException {
        process.getOutputStream().close();
        process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Joins as a server with both regions. */
    static GeodeStore join(String name, String zone, int locator) throws IOException {
        ClusterOptions cluster = options(name, zone, locator, freePort());
        GeodeStore store = new GeodeStore(
                new GeodeOptions(null, GeodeOptions.DEFAULT_BUCKETS, cluster, false, GeodeMemory.HEAP, 0), FUNCTIONS);
        // Servers may differ in this.
        store.open(region(SHORT, new Retention(Duration.ofSeconds(zone.equals("a") ? 1 : 2), null)));
        store.open(region(LONG, Retention.FOREVER));
        for (Layout layout : Layout.values()) {
            store.open(single(layout, single(layout)));
        }
        store.serve();
        return store;
    }

    /** Joins as a server with the region on disk. */
    static GeodeStore join(Path folder, int locator, String... key) throws IOException {
        GeodeStore store = new GeodeStore(GeodeOptions.member(folder, options(STORING, null, locator, freePort())));
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

    private static ClusterOptions options(String name, @Nullable String zone, int locator, int port) {
        return new ClusterOptions(
                name,
                List.of(new Address("127.0.0.1", locator)),
                Map.of(),
                "127.0.0.1",
                null,
                port,
                Duration.ofSeconds(5),
                zone,
                null,
                null,
                Map.of(),
                0,
                1,
                Duration.ofSeconds(2));
    }

    /** Removes a region, and writes what came of it. */
    private static void remove(String region, int locator) {
        try (StoredData data = StoredData.inCluster(client(locator))) {
            data.remove(region);
            System.out.println("removed");
        } catch (StoreException e) {
            System.out.println(e.getMessage());
        }
    }

    static void main(String[] args) throws IOException {
        int locator = Integer.parseInt(args[2]);
        if (args[0].equals("client")) {
            QueryLoop.run(args[1], List.of(new Address("127.0.0.1", locator)));
        }
        if (args[0].equals("removing")) {
            remove(args[1], locator);
            System.exit(0);
        }
        Member member = switch (args[0]) {
            case "locator" -> new LocatorMember(Path.of(args[1]), options("locator", null, locator, locator));
            case STORING -> join(Path.of(args[1]), locator, "id");
            default -> join(args[0], args[1], locator);
        };
        System.out.println(READY);
        int end = System.in.read(); // until the process that started this one has gone
        boolean open = member.isOpen();
        member.close();
        System.exit(open ? end : 1);
    }
}
