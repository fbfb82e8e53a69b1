package io.millrace.cluster;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Volume;
import io.millrace.FreePort;
import io.millrace.MillraceImage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * A locator, two servers and two ingest nodes in containers of the project's own image. The disk of one server is
 * small. One of the ingest nodes owns the pipelines whose feeds have positions, the other one is on standby.
 */
final class Cluster implements AutoCloseable {

    private static final String DATA = "/millrace/data";
    private static final String SMALL_DISK = "768m";
    private static final int NOBODY = 65532;
    private static final String STANDBY = "standby";
    private static final String DONE = "done";
    /** Pipelines that one ingest runs at a time. */
    private static final List<String> OWNED = List.of("file", "trades");

    private final Network reached = Network.newNetwork();
    private final InnerNetwork inner = InnerNetwork.create();
    private final String disk = "millrace-" + UUID.randomUUID();
    private final GenericContainer<?> diskKeeper;
    final Node locator;
    final List<Node> servers;
    final List<Node> ingests;
    /** UDP port of the RADIUS feed of each ingest, on loopback. */
    final List<Integer> radiusPorts = List.of(FreePort.next(), FreePort.next());

    private final List<Duration> takeovers = new ArrayList<>();

    /** @param trades file of the file feed of each ingest */
    Cluster(String configuration, Path trades) {
        String image = MillraceImage.name();
        locator = member(image, "locator", "locator", 2);
        // A file system of this kind lives as long as a container uses it: longer than the server that is killed.
        DockerClientFactory.instance()
                .client()
                .createVolumeCmd()
                .withName(disk)
                .withDriverOpts(
                        Map.of("type", "tmpfs", "device", "tmpfs", "o", "size=" + SMALL_DISK + ",uid=" + NOBODY))
                .exec();
        Bind smallDisk = new Bind(disk, new Volume(DATA));
        diskKeeper = new GenericContainer<>(DockerImageName.parse("eclipse-temurin:25-jdk"))
                .withCreateContainerCmdModifier(command -> {
                    command.withEntrypoint("sleep", "1000000");
                    command.getHostConfig().withBinds(smallDisk);
                });
        Node roomy = member(image, "server", "server-1", 3).withConfiguration(Transferable.of(configuration));
        Node small = member(image, "server", "server-2", 4)
                .withConfiguration(Transferable.of(configuration))
                .withCreateContainerCmdModifier(
                        command -> command.getHostConfig().withBinds(smallDisk));
        servers = List.of(roomy, small);
        ingests = IntStream.of(0, 1)
                .mapToObj(number -> node(image, "ingest-" + (number + 1), 5 + number)
                        .withProperty("millrace.instance", "ingest-" + (number + 1))
                        .withPort(PortBinding.parse("127.0.0.1:" + radiusPorts.get(number) + ":1813/udp"))
                        .withConfiguration(Transferable.of(configuration))
                        .withFile("trades.bin", MountableFile.forHostPath(trades)))
                .toList();
    }

    private Node node(String image, String name, int number) {
        return new Node(image, name, reached, inner.network(), inner.address(number))
                .withEnv("JDK_JAVA_OPTIONS", "-Xmx1g")
                .withProperty("millrace.geode.locators", inner.address(2) + ":10334")
                .withProperty("millrace.geode.member-timeout", "2s");
    }

    private Node member(String image, String role, String name, int number) {
        return node(image, name, number)
                .withRole(role)
                .withProperty("millrace.geode.name", name)
                .withProperty("millrace.geode.bind-address", inner.address(number));
    }

    /** All nodes. */
    Stream<Node> nodes() {
        return Stream.of(List.of(locator), ingests, servers).flatMap(List::stream);
    }

    /** Starts all of them, in no order. */
    void start() {
        diskKeeper.start();
        Startables.deepStart(nodes()).join();
    }

    /** Waits until all are ready again, all is kept twice, and each pipeline has one owner. */
    void awaitRecovery() {
        await().pollInterval(1, SECONDS)
                .until(() -> nodes().allMatch(Node::ready)
                        && servers.stream().allMatch(Node::hasCopies)
                        && OWNED.stream().allMatch(this::hasOneOwner));
    }

    /** A pipeline that is done writes nothing, so a process that was paused does not notice that it was replaced. */
    private boolean hasOneOwner(String pipeline) {
        List<String> states = ingests.stream().map(node -> node.state(pipeline)).toList();
        return Collections.frequency(states, STANDBY) == 1 || Collections.frequency(states, DONE) == states.size();
    }

    /** The ingest that runs the pipeline {@code trades}, while all are there. */
    Node owner() {
        return ingests.get(STANDBY.equals(ingests.getFirst().state("trades")) ? 1 : 0);
    }

    /** Waits until the other ingest runs the pipeline {@code trades}, and notes how long that took. */
    void awaitTakeover(Node owner) {
        long start = System.nanoTime();
        Node standby = ingests.get(1 - ingests.indexOf(owner));
        await().pollInterval(100, MILLISECONDS)
                .until(() -> standby.state("trades").equals("running"));
        takeovers.add(Duration.ofNanos(System.nanoTime() - start));
    }

    /** How long each takeover took that was awaited, in their order. */
    List<Duration> takeovers() {
        return List.copyOf(takeovers);
    }

    /** The server whose disk is small. */
    Node smallServer() {
        return servers.getLast();
    }

    /** Takes all that is left of the small disk. */
    void fillDisk() throws Exception {
        diskKeeper.execInContainer("dd", "if=/dev/zero", "of=" + DATA + "/fill", "bs=1M");
    }

    /** Gives it back. */
    void freeDisk() throws Exception {
        diskKeeper.execInContainer("rm", DATA + "/fill");
    }

    @Override
    public void close() {
        nodes().forEach(Node::stop);
        diskKeeper.stop();
        inner.close();
        reached.close();
        DockerClientFactory.instance().client().removeVolumeCmd(disk).exec();
    }
}
