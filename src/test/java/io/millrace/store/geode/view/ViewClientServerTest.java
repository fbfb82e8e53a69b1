package io.millrace.store.geode.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.ChildJvm;
import io.millrace.store.geode.view.ViewDataSerializerTest.Quote;
import io.millrace.view.FrameworkSupport;
import io.millrace.view.RecordViews;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.geode.SerializationException;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.client.ClientCache;
import org.apache.geode.cache.client.ClientCacheFactory;
import org.apache.geode.cache.client.ClientRegionShortcut;
import org.apache.geode.cache.client.Pool;
import org.apache.geode.cache.client.PoolManager;
import org.apache.geode.cache.client.ServerOperationException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Views in client regions of Geode. Each client and each server has a JVM of its own. */
class ViewClientServerTest {

    private static final String QUERIED = "queried";
    private static final String STORED = "stored";

    @TempDir
    private Path folder;

    /** A server that runs queries. */
    static final class QueryServer {
        public static void main(String[] arguments) throws IOException {
            ViewDataSerializer.register(ViewDataSerializerTest.views("fixed"), ViewDataSerializerTest.views("compact"));
            StoringServer.main(arguments);
        }
    }

    /** A client of two servers: the first runs queries, the second stores only. */
    static final class Client {
        public static void main(String[] ports) throws Exception {
            List<RecordViews<Quote>> all =
                    List.of(ViewDataSerializerTest.views("fixed"), ViewDataSerializerTest.views("compact"));
            ViewDataSerializer.register(all.toArray(RecordViews<?>[]::new));
            try (ClientCache client = client()) {
                for (String name : List.of(QUERIED, STORED)) {
                    Region<Long, Quote> region = region(client, name, ports[name.equals(QUERIED) ? 0 : 1]);
                    Map<Long, Quote> quotes = new HashMap<>();
                    for (RecordViews<Quote> views : all) {
                        for (long i = 0; i < 2; i++) {
                            long key = quotes.size();
                            Quote mutable = ViewDataSerializerTest.quote(views, key);
                            quotes.put(key, i == 0 ? mutable : views.view(mutable));
                        }
                    }
                    quotes.forEach(region::put);
                    quotes.forEach((key, quote) -> requireSame(Objects.requireNonNull(region.get(key)), quote));
                    Map<Long, Quote> stored = region.getAll(quotes.keySet());
                    assertThat(stored).hasSameSizeAs(quotes);
                    quotes.forEach((key, quote) -> requireSame(Objects.requireNonNull(stored.get(key)), quote));
                }
                assertThat(query(QUERIED, "select q from /queried q where q.id > 0L and q.name like 'name%'"))
                        .hasSize(3)
                        .allSatisfy(each ->
                                assertThat(((Quote) each).getName()).isEqualTo("name " + ((Quote) each).getId()));
                assertThat(query(QUERIED, "select distinct q.name from /queried q where q.getId() = 2L"))
                        .singleElement()
                        .isEqualTo("name 2");
                assertThatExceptionOfType(ServerOperationException.class)
                        .isThrownBy(() -> query(STORED, "select q.name from /stored q"))
                        .havingRootCause()
                        .withMessageMatching("Serializer with Id \\d+ is not registered");
            }
        }

        private static void requireSame(Quote actual, Quote expected) {
            assertThat(actual).isEqualTo(expected).isNotSameAs(expected).hasSameClassAs(expected);
        }
    }

    /** A client whose schema has another type of a field. */
    static final class OtherClient {
        public static void main(String[] ports) throws Exception {
            RecordViews<Quote> others = ViewDataSerializerTest.views("compact", "{ name: id, type: i32 }");
            ViewDataSerializer.register(others);
            try (ClientCache client = client()) {
                Region<Long, Quote> region = region(client, QUERIED, ports[0]);
                for (long key = 0; key < 4; key++) {
                    long each = key;
                    requireUnknownViews(() -> region.get(each));
                }
                requireUnknownViews(() -> region.getAll(List.of(0L, 3L)));
                requireUnknownViews(() -> query(QUERIED, "select q from /queried q"));

                region.put(9L, others.view(ViewDataSerializerTest.quote(others, 9)));
                assertThat(Objects.requireNonNull(region.get(9L)).getId()).isEqualTo(9);
                requireUnknownViews(() -> query(QUERIED, "select q.name from /queried q"));
            }
        }

        private static void requireUnknownViews(ThrowingCallable call) {
            assertThatExceptionOfType(ServerOperationException.class)
                    .isThrownBy(call)
                    .havingRootCause()
                    .isInstanceOf(SerializationException.class)
                    .withMessageStartingWith("Unknown views of a schema with fingerprint ");
        }
    }

    private static ClientCache client() {
        return new ClientCacheFactory().set("log-level", "error").create();
    }

    private static Region<Long, Quote> region(ClientCache client, String name, String port) {
        Pool pool = PoolManager.createFactory()
                .addServer("localhost", Integer.parseInt(port))
                .create(name);
        return client.<Long, Quote>createClientRegionFactory(ClientRegionShortcut.PROXY)
                .setPoolName(pool.getName())
                .create(name);
    }

    private static List<Object> query(String pool, String text) throws Exception {
        List<Object> results = new ArrayList<>();
        ((Iterable<?>) PoolManager.find(pool).getQueryService().newQuery(text).execute()).forEach(results::add);
        return results;
    }

    @Test
    @FrameworkSupport(
            tool = "Apache Geode: clients and servers",
            works = "put, get, getAll and OQL of client regions. A server that only stores needs neither the type nor"
                    + " Millrace",
            otherwise = "Clients, and servers that run queries, need the type, its `RecordViews` and"
                    + " `ViewDataSerializer.register`; a query of another server fails. Views of an unknown schema are"
                    + " refused")
    void shouldBeStoredAndQueriedByClientsOfServers() throws Exception {
        List<String> storing = ChildJvm.command(StoringServer.class, STORED);
        // How long Geode waits for a serializer that it does not know.
        storing.add(1, "-Dgemfire.InternalDataSerializer.WAIT_MS=100");
        storing.set(storing.indexOf("-cp") + 1, withoutMillrace());
        try (Child queries = new Child(ChildJvm.command(QueryServer.class, QUERIED));
                Child stores = new Child(storing)) {
            String[] ports = {queries.port(), stores.port()};
            run(ChildJvm.command(Client.class, ports));
            run(ChildJvm.command(OtherClient.class, ports));
        }
    }

    /** Returns a class path of the libraries and the server. */
    private String withoutMillrace() throws IOException {
        String file = StoringServer.class.getName().replace('.', '/') + ".class";
        Path target = folder.resolve(file);
        Files.createDirectories(target.getParent());
        Files.copy(Objects.requireNonNull(ClassLoader.getSystemResourceAsStream(file)), target);
        return Stream.concat(
                        Stream.of(folder.toString()),
                        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                                .filter(each -> each.endsWith(".jar")))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private void run(List<String> command) throws Exception {
        Process process = start(command);
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    private Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
    }

    /** A server, which ends when it is closed. */
    private final class Child implements AutoCloseable {
        private final Process process;

        Child(List<String> command) throws IOException {
            process = start(command);
        }

        String port() throws IOException {
            BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
            List<String> lines = new ArrayList<>();
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.startsWith(StoringServer.PORT)) {
                    return line.substring(StoringServer.PORT.length());
                }
                lines.add(line);
            }
            throw new IOException("The server ended: " + lines);
        }

        @Override
        public void close() throws IOException {
            process.getOutputStream().close();
            process.destroy();
            process.onExit().join(); // it uses the folder
        }
    }
}
