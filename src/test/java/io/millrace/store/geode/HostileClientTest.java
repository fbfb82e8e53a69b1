package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import hostile.Gadget;
import hostile.HostileFunction;
import io.millrace.FreePort;
import io.millrace.TestTimeout;
import io.millrace.background.CauseChain;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.geode.access.ClientAccess;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.store.geode.cache.ClusterOptions.Address;
import io.millrace.store.geode.cache.ClusterOptions.Credentials;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.cache.GeodeProperties;
import io.millrace.store.geode.cache.StaleTermException;
import io.millrace.store.geode.region.Definitions;
import io.millrace.store.geode.shared.SharedMaps;
import io.millrace.store.query.Query;
import io.millrace.store.write.RegionWriter;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectOutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.client.ClientCache;
import org.apache.geode.cache.client.ClientCacheFactory;
import org.apache.geode.cache.client.ClientRegionShortcut;
import org.apache.geode.cache.execute.FunctionService;
import org.apache.geode.security.AuthenticationFailedException;
import org.apache.geode.security.AuthenticationRequiredException;
import org.apache.geode.security.NotAuthorizedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a client of Geode's own, and a bare socket, can't do to a cluster: each attempt is refused, changes nothing and
 * runs no code of its sender. The servers have the sender's classes on their class path.
 */
@Tag("long")
class HostileClientTest {

    private static final int RECORDS = 100;

    /** Records of the writers to regions in memory. */
    private static final String WRITERS = SharedMaps.WRITERS + "-in-memory";

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ForkedMember locatorMember;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ForkedMember server;

    private static int locator;
    private static int serverPort;
    private static Path marker = Path.of("");

    private @Nullable ClientCache client;

    @BeforeAll
    static void start() throws Exception {
        marker = folder.resolve("marker");
        ForkedMember.keepIdleConnections(); // so that only what was refused ends them
        locator = FreePort.next();
        locatorMember = ForkedMember.guardedLocator(folder, locator).awaitReady();
        server = ForkedMember.guardedServer("one", "a", locator);
        serverPort = server.port();
        server.awaitReady();
        try (GeodeStore store = store("feeds")) {
            store.openFound(ForkedMember.LONG);
            RegionWriter writer = Writers.open(store, ForkedMember.LONG, "trades", 0, Trades.SCHEMA, (_, _, reason) -> {
                throw new AssertionError(reason.toString());
            });
            writer.append(Trades.batch(Trades.feed(RECORDS), 0, RECORDS));
            writer.flush();
        }
    }

    @AfterAll
    static void stop() {
        ForkedMember.endIdleConnections();
        server.close();
        locatorMember.close();
    }

    @AfterEach
    void disconnect() {
        if (client != null) {
            client.close();
        }
        assertThat(marker).doesNotExist();
        try (GeodeStore store = store("desk")) {
            store.openFound(ForkedMember.LONG);
            assertThat(store.query(ForkedMember.LONG, new Query(null, List.of("id"), List.of(), Query.UNLIMITED))
                            .records())
                    .hasSize(RECORDS);
        }
    }

    private static GeodeStore store(String user) {
        return new GeodeStore(GeodeOptions.client(ForkedMember.client(locator, user)), ForkedMember.FUNCTIONS);
    }

    /** A client as Geode has it, which knows a user's password. */
    private void connect(String user, String password) {
        ClusterOptions options = ClusterOptions.client(
                List.of(new Address("127.0.0.1", locator)), null, new Credentials(user, password));
        connect(GeodeProperties.client(options));
    }

    private void connect(Properties properties) {
        client = new ClientCacheFactory(properties)
                .addPoolLocator("127.0.0.1", locator)
                .setPoolReadTimeout((int) TestTimeout.MAX.toMillis())
                .create();
    }

    private ClientCache client() {
        return Objects.requireNonNull(client);
    }

    private Region<Object, Object> region(String name) {
        return client().createClientRegionFactory(ClientRegionShortcut.PROXY).create(name);
    }

    @SuppressWarnings("unchecked") // of what onRegion returns
    private void query(Object query) {
        var _ = FunctionService.onRegion(region(ForkedMember.LONG))
                .setArguments(query)
                .execute(ClientAccess.QUERY_FUNCTION)
                .getResult();
    }

    interface Attempt {
        void run(HostileClientTest test) throws Exception;
    }

    record Named(String name, Attempt attempt) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Named> forbiddenToAll() {
        return Stream.of(
                new Named(
                        "a function that the client sends",
                        test -> FunctionService.onServer(test.client())
                                .execute(new HostileFunction(marker))
                                .getResult()),
                new Named(
                        "that function for a region",
                        test -> FunctionService.onRegion(test.region(ForkedMember.LONG))
                                .execute(new HostileFunction(marker))
                                .getResult()),
                new Named(
                        "a function by an id",
                        test -> FunctionService.onServer(test.client())
                                .execute("hostile")
                                .getResult()),
                new Named(
                        "a key that runs code",
                        test -> test.region(ForkedMember.LONG).get(new Gadget(marker))),
                new Named("an argument that runs code", test -> test.query(new Gadget(marker))),
                new Named(
                        "an argument with a callback",
                        test -> test.region(ForkedMember.LONG).get(1L, new Gadget(marker))),
                new Named(
                        "a value without a term",
                        test -> test.region(ForkedMember.LONG).put(1L, new byte[100])),
                new Named(
                        "values without a term",
                        test -> test.region(ForkedMember.LONG).putAll(Map.of(1L, new byte[100]))),
                new Named(
                        "OQL",
                        test -> test.client()
                                .getQueryService()
                                .newQuery("select * from /" + ForkedMember.LONG)
                                .execute()),
                new Named(
                        "to clear a region",
                        test -> test.region(ForkedMember.LONG).clear()),
                new Named(
                        "to change what is stored where",
                        test -> test.region(Definitions.REGION).put(ForkedMember.LONG, new byte[1])),
                new Named(
                        "to remove what is stored where",
                        test -> test.region(Definitions.REGION).remove(ForkedMember.LONG)),
                new Named(
                        "to change how records are read",
                        test -> test.region(Definitions.VERSIONS).put(ForkedMember.LONG, new byte[1])),
                new Named("a type of PDX, which servers would store for ever", test -> {
                    test.region(ForkedMember.LONG).get(1L); // opens the pool
                    var _ = test.client()
                            .createPdxInstanceFactory("Hostile")
                            .writeInt("field", 1)
                            .create();
                }),
                new Named(
                        "to destroy a region",
                        test -> test.region(ForkedMember.LONG).destroyRegion()),
                new Named(
                        "to invalidate a value",
                        test -> test.region(ForkedMember.LONG).invalidate(1L)));
    }

    static Stream<Named> forbiddenToReaders() {
        return Stream.concat(
                forbiddenToAll(),
                Stream.of(
                        new Named(
                                "to see who may write",
                                test -> test.region(WRITERS).keySetOnServer()),
                        new Named(
                                "to read a token", test -> test.region(WRITERS).get("trades/0")),
                        new Named(
                                "to claim a writer",
                                test -> test.region(WRITERS).put("trades/0", "1 2 token -")),
                        new Named(
                                "to replace a writer",
                                test -> test.region(WRITERS).replace("trades/0", "1 2 token -")),
                        new Named(
                                "to remove a writer",
                                test -> test.region(WRITERS).remove("trades/0")),
                        new Named(
                                "to remove a record",
                                test -> test.region(ForkedMember.LONG).remove(1L))));
    }

    @ParameterizedTest
    @MethodSource("forbiddenToReaders")
    void shouldRefuseAReader(Named attempt) throws Exception {
        connect("desk", "desk");
        requireRefused(attempt);
    }

    @ParameterizedTest
    @MethodSource("forbiddenToAll")
    void shouldRefuseAnIngestNode(Named attempt) throws Exception {
        connect("feeds", "feeds");
        requireRefused(attempt);
    }

    private void requireRefused(Named attempt) throws IOException {
        Throwable failure = catchThrowable(() -> attempt.attempt().run(this));
        assertThat(failure).isNotNull();
        String all = CauseChain.of(failure).toString();
        assertThat(all)
                .containsAnyOf(
                        NotAuthorizedException.class.getSimpleName(),
                        StaleTermException.class.getSimpleName(),
                        InvalidClassException.class.getSimpleName(),
                        // where a class may not be deserialized the server closes the connection, which resets it if
                        // the rest of the request is still on its way
                        "Pool unexpected closed socket on server",
                        "Connection reset");
    }

    /** With the methods that each client of Geode has. */
    @Test
    void shouldLetAReaderReadSeveralEntries() {
        connect("desk", "desk");
        Region<Object, Object> trades = region(ForkedMember.LONG);
        Set<Object> keys = trades.keySetOnServer();

        assertThat(keys).isNotEmpty();
        assertThat(trades.getAll(keys)).containsOnlyKeys(keys).doesNotContainValue(null);
        assertThat(trades.getAll(List.of(-1L))).containsOnlyKeys(-1L);
    }

    @Test
    void shouldLogWhatWasRefused() throws Exception {
        connect("desk", "desk");
        assertThatExceptionOfType(Exception.class)
                .isThrownBy(() -> region(WRITERS).put("trades/0", "1 2 token -"));

        assertThat(server.awaitLine("Refused an operation of a client: operation=PUT region=" + WRITERS))
                .contains("user=desk");
    }

    @ParameterizedTest
    @ValueSource(strings = {"desk:wrong", "nobody:nobody", ":"})
    void shouldRefuseWhoIsNotKnown(String user) {
        connect(user.substring(0, user.indexOf(':')), user.substring(user.indexOf(':') + 1));

        Throwable failure = catchThrowable(() -> region(ForkedMember.LONG).get(1L));

        assertThat(CauseChain.has(failure, AuthenticationFailedException.class)).isTrue();
    }

    @Test
    void shouldRefuseWhoDoesNotSayWhoItIs() {
        connect(new Properties());

        Throwable failure = catchThrowable(() -> region(ForkedMember.LONG).get(1L));

        assertThat(CauseChain.has(failure, AuthenticationRequiredException.class))
                .isTrue();
    }

    /**
     * Geode's own form of a Java object, alone and behind what each port expects first: it is refused before its class
     * is read.
     */
    @Test
    void shouldDeserializeNothingFromABareSocket() throws Exception {
        sendGadget(locator, new byte[0]);
        for (byte[] opening : locatorOpenings()) {
            sendGadget(locator, opening);
        }
        locatorMember.awaitLine("Refused input from the network: port=locator");
        sendGadget(serverPort, new byte[0]);
        for (byte[] opening : serverOpenings()) {
            sendGadget(serverPort, opening);
        }
    }

    private static void sendGadget(int port, byte[] opening) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) TestTimeout.MAX.toMillis());
            socket.getOutputStream().write(opening);
            socket.getOutputStream().write(serialized(new Gadget(marker)));
            socket.getOutputStream().flush();
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        } catch (SocketTimeoutException e) {
            throw new AssertionError("The connection is still open.", e);
        } catch (IOException e) {
            // it was reset
        }
        assertThat(marker).doesNotExist();
    }

    /** Gossip version 1002 and the ordinal of Geode's version, or 1001. */
    private static List<byte[]> locatorOpenings() {
        return List.of(new byte[] {0, 0, 3, (byte) 0xEA, 0, (byte) 150}, new byte[] {0, 0, 3, (byte) 0xE9});
    }

    /**
     * A handshake: mode 100 (client to server), the ordinal of Geode's version, "reply OK", a timeout of four bytes.
     */
    private static List<byte[]> serverOpenings() {
        return List.of(
                new byte[] {100, (byte) 0xFF, 0, (byte) 150, 59, 0, 0, 0x27, 0x10},
                new byte[] {100, 45, 59, 0, 0, 0x27, 0x10});
    }

    private static byte[] serialized(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(44); // an object as Java writes it follows
        try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
            objects.writeObject(object);
        }
        return bytes.toByteArray();
    }
}
