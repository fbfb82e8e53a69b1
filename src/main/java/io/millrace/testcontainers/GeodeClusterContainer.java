package io.millrace.testcontainers;

import com.github.dockerjava.api.command.InspectContainerResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.testcontainers.containers.Network;
import org.testcontainers.lifecycle.Startables;

/**
 * A cluster for tests: a locator and servers in a network of their own. All of them get the configuration, files,
 * properties and environment of this container. The configuration is that of the pipelines under test, whose regions
 * the servers open. The cluster has started when all members are ready.
 *
 * <p>This container is the locator; the servers start and stop with it. Members give clients their names in the
 * network, so other containers in {@linkplain #getNetwork() that network} can connect directly, and clients outside of
 * it with {@link #reachedAt}.
 */
@API(status = API.Status.STABLE)
public final class GeodeClusterContainer extends MillraceContainer<GeodeClusterContainer> {

    private static final String LOCATOR = "locator";
    private static final int LOCATOR_PORT = 10334;
    private static final int SERVER_PORT = 40404;

    /** Memory of a server's container; the heap is three quarters of it. */
    private static final long SERVER_BYTES = 1L << 30;

    private static final long LOCATOR_BYTES = 3L << 28;

    private final String image;
    private final Network network = Network.newNetwork();
    private final List<Server> servers = new ArrayList<>();
    private int size = 2;

    /** @param image name of Millrace's image */
    public GeodeClusterContainer(String image) {
        super(image);
        this.image = image;
    }

    /** Sets the number of servers; 2 by default. */
    public GeodeClusterContainer withServers(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("Invalid count '" + count + "'. Use 1 or more.");
        }
        size = count;
        return this;
    }

    @Override
    protected void configure() {
        member(this, LOCATOR, LOCATOR, LOCATOR_PORT, LOCATOR_BYTES);
        super.configure();
    }

    private void member(MillraceContainer<?> container, String role, String name, int port, long bytes) {
        container
                .withRole(role)
                .withProperty("millrace.geode.locators", LOCATOR + ":" + LOCATOR_PORT)
                .withProperty("millrace.geode.name", name)
                .withProperty("millrace.geode.public-address", name)
                .withNetwork(network)
                .withNetworkAliases(name)
                .withCreateContainerCmdModifier(
                        command -> command.getHostConfig().withMemory(bytes))
                .addExposedPort(port);
    }

    @Override
    protected void containerIsStarted(InspectContainerResponse containerInfo) {
        IntStream.rangeClosed(1, size).mapToObj(this::server).forEach(servers::add);
        Startables.deepStart(servers).join();
    }

    private Server server(int number) {
        Server server = new Server(image, "server-" + number);
        giveTo(server);
        member(server, "server", server.name, SERVER_PORT, SERVER_BYTES);
        return server;
    }

    /** Returns the servers; none before the cluster has started. */
    public List<MillraceContainer<?>> servers() {
        return List.copyOf(servers);
    }

    /** Returns the locator's address for clients outside the network, {@code host:port}. */
    public List<String> locators() {
        return List.of(address(this, LOCATOR_PORT));
    }

    /**
     * Returns the addresses for clients outside the network by the addresses that members give to clients, each
     * {@code host:port}.
     */
    public Map<String, String> reachedAt() {
        Map<String, String> addresses = new LinkedHashMap<>();
        addresses.put(LOCATOR + ":" + LOCATOR_PORT, address(this, LOCATOR_PORT));
        servers.forEach(server -> addresses.put(server.name + ":" + SERVER_PORT, address(server, SERVER_PORT)));
        return addresses;
    }

    private static String address(MillraceContainer<?> container, int port) {
        return container.getHost() + ":" + container.getMappedPort(port);
    }

    @Override
    public void stop() {
        servers.forEach(Server::stop);
        servers.clear();
        super.stop();
        network.close();
    }

    private static final class Server extends MillraceContainer<Server> {

        private final String name;

        Server(String image, String name) {
            super(image);
            this.name = name;
        }
    }
}
