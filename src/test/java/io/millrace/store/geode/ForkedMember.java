package io.millrace.store.geode;

import io.millrace.store.BlockEncoding;
import io.millrace.store.Layout;
import io.millrace.store.Memory;
import io.millrace.store.RegionDefinition;
import io.millrace.store.Retention;
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
import org.jspecify.annotations.Nullable;

/** A locator or server of a cluster, in a process of its own that ends with the one that started it. */
final class ForkedMember implements AutoCloseable {

    /** A region whose old blocks go by themselves. */
    static final String SHORT = "short";

    /** A region that keeps everything. */
    static final String LONG = "long";

    private static final String READY = "ready";

    private final Process process;

    private ForkedMember(Process process) {
        this.process = process;
    }

    static ForkedMember locator(Path folder, int port) throws IOException {
        return start("locator", folder.toString(), String.valueOf(port));
    }

    static ForkedMember server(String name, String zone, int locator) throws IOException {
        return start(name, zone, String.valueOf(locator));
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
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.equals(READY)) {
                return this;
            }
        }
        throw new IOException("a member ended before it served");
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
        GeodeStore store =
                new GeodeStore(new GeodeOptions(null, GeodeOptions.DEFAULT_BUCKETS, cluster, false, GeodeMemory.HEAP));
        // Servers may differ in this.
        store.open(region(SHORT, new Retention(Duration.ofSeconds(zone.equals("a") ? 1 : 2), null)));
        store.open(region(LONG, Retention.FOREVER));
        store.serve();
        return store;
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
                1);
    }

    static void main(String[] args) throws IOException {
        int locator = Integer.parseInt(args[2]);
        Member member = args[0].equals("locator")
                ? new LocatorMember(Path.of(args[1]), options("locator", null, locator, locator))
                : join(args[0], args[1], locator);
        System.out.println(READY);
        int end = System.in.read(); // until the process that started this one has gone
        System.exit(member.isOpen() ? end : 1);
    }
}
