package io.millrace.cluster;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.PortBinding;
import io.millrace.FreePort;
import io.millrace.TestTimeout;
import io.millrace.nemesis.Nemesis;
import io.millrace.nemesis.Victim;
import io.millrace.testcontainers.MillraceContainer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Network;

/**
 * A Millrace in a container, and what may befall it. It is reached over HTTP by a network of its own, so that it can be
 * asked while it is cut off from the cluster.
 */
final class Node extends MillraceContainer<Node> implements Victim {

    private static final Pattern STATE = Pattern.compile("\"state\":\"(\\w+)\"");

    private final String name;
    private final Network cluster;
    private final String address;
    private final int port = FreePort.next();
    private final List<PortBinding> bindings = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();

    /**
     * Makes none yet.
     *
     * @param name for people to read
     * @param reached the network by which the test reaches it
     * @param cluster the network that can be cut
     * @param address in that network
     */
    Node(String image, String name, Network reached, Network cluster, String address) {
        super(image);
        this.name = name;
        this.cluster = cluster;
        this.address = address;
        withNetwork(reached);
        // The same port in all lives of the container.
        withPort(PortBinding.parse("127.0.0.1:" + port + ":" + HTTP_PORT));
        withCreateContainerCmdModifier(command -> {
            command.withExposedPorts(
                    bindings.stream().map(PortBinding::getExposedPort).toList());
            command.getHostConfig().withPortBindings(bindings);
        });
    }

    Node withPort(PortBinding binding) {
        bindings.add(binding);
        return this;
    }

    @Override
    protected void containerIsCreated(String containerId) {
        heal();
    }

    @Override
    protected void waitUntilContainerStarted() {
        // Nodes wait for each other, and the test for all of them.
    }

    @Override
    protected void containerIsStarting(InspectContainerResponse containerInfo) {
        // Its ports are known.
    }

    /** What it answers to a GET, a status of 0 if nothing at all. */
    Answer get(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(TestTimeout.MAX)
                .build();
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (IOException e) {
            return new Answer(0, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Records of a region. */
    Answer records(String region, String select, String where, String orderBy, int limit) {
        return get("/api/regions/" + region + "/records?select=" + select + "&limit=" + limit + "&where="
                + encoded(where) + "&orderBy=" + encoded(orderBy));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** A status and a body. */
    record Answer(int status, String body) {

        boolean good() {
            return status == 200;
        }
    }

    /** The state of a pipeline, empty where it does not answer. */
    String state(String pipeline) {
        Matcher state = STATE.matcher(get("/api/pipelines/" + pipeline).body());
        return state.find() ? state.group(1) : "";
    }

    boolean ready() {
        return get("/actuator/health/readiness").good();
    }

    /** Whether all that this server has has its copies. */
    boolean hasCopies() {
        return get("/actuator/health/copies").good();
    }

    @Override
    public void kill() {
        docker().killContainerCmd(getContainerId()).exec();
    }

    @Override
    public void restart() {
        docker().startContainerCmd(getContainerId()).exec();
    }

    @Override
    public void shutDown() {
        docker().stopContainerCmd(getContainerId()).withTimeout(60).exec();
    }

    @Override
    public void pause() {
        docker().pauseContainerCmd(getContainerId()).exec();
    }

    @Override
    public void resume() {
        docker().unpauseContainerCmd(getContainerId()).exec();
    }

    /** Cuts it off from the cluster, and takes it back into its network at the end. */
    Nemesis cutOff() {
        return Nemesis.of("cut off " + name, this::cut, this::heal);
    }

    private void cut() {
        docker().disconnectFromNetworkCmd()
                .withContainerId(getContainerId())
                .withNetworkId(cluster.getId())
                .exec();
    }

    private void heal() {
        docker().connectToNetworkCmd()
                .withContainerId(getContainerId())
                .withNetworkId(cluster.getId())
                .withContainerNetwork(
                        new ContainerNetwork().withIpamConfig(new ContainerNetwork.Ipam().withIpv4Address(address)))
                .exec();
    }

    private static DockerClient docker() {
        return DockerClientFactory.instance().client();
    }

    @Override
    public String toString() {
        return name;
    }
}
