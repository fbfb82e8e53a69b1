package io.millrace.nemesis;

import io.millrace.FreePort;
import io.millrace.MillraceProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A cluster of processes on this machine: a locator, servers and ingest nodes, each with a data folder that is named
 * after it. They read configurations of one folder.
 */
public final class LocalCluster implements AutoCloseable {

    private final Path folder;
    private final List<String> common;
    private final int locatorPort = FreePort.next();
    private final List<ServiceNode> nodes = Collections.synchronizedList(new ArrayList<>());
    private final List<ServiceNode> servers = new ArrayList<>();
    private final List<ServiceNode> ingests = new ArrayList<>();
    private final ServiceNode locator;
    private Function<String, Map<String, String>> environment = _ -> Map.of();
    private boolean asShipped;

    /**
     * Creates a cluster without servers and ingest nodes, whose locator has not started.
     *
     * @param common arguments of all processes
     */
    public LocalCluster(Path folder, String... common) {
        this.folder = folder;
        this.common = List.of(common);
        locator = node("locator", List.of(), "locator", "--millrace.geode.port=" + locatorPort);
    }

    /** Lets processes that start from now on have the JVM options of the distribution. */
    public LocalCluster asShipped(boolean shipped) {
        asShipped = shipped;
        return this;
    }

    /** Lets processes that start from now on have the variables that the function returns for their names. */
    public LocalCluster environment(Function<String, Map<String, String>> variables) {
        environment = variables;
        return this;
    }

    /** Returns the locator. */
    public ServiceNode locator() {
        return locator;
    }

    /** Adds a server, which has not started. */
    public ServiceNode server(String name, String configuration, String... more) {
        ServiceNode server = node(
                name,
                List.of(more),
                "server",
                configuration,
                "--millrace.geode.name=" + name,
                "--millrace.geode.port=" + FreePort.next());
        servers.add(server);
        return server;
    }

    /** Adds an ingest node, which has not started. */
    public ServiceNode ingest(String name, String configuration, String... more) {
        ServiceNode ingest = node(name, List.of(more), "run", configuration, "--millrace.instance=" + name);
        ingests.add(ingest);
        return ingest;
    }

    private ServiceNode node(String name, List<String> more, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(
                "--server.port=0",
                "--millrace.data=" + folder.resolve(name),
                "--millrace.geode.bind-address=127.0.0.1",
                "--millrace.geode.locators=127.0.0.1:" + locatorPort));
        all.addAll(common);
        all.addAll(more);
        ServiceNode node = new ServiceNode(name, started -> start(name, started), all);
        nodes.add(node);
        return node;
    }

    private MillraceProcess start(String name, String... arguments) throws IOException {
        Map<String, String> variables = environment.apply(name);
        return asShipped
                ? MillraceProcess.startAsShipped(folder, variables, arguments)
                : MillraceProcess.startWith(folder, variables, arguments);
    }

    /** Returns the servers. */
    public List<ServiceNode> servers() {
        return servers;
    }

    /** Returns the ingest nodes. */
    public List<ServiceNode> ingests() {
        return ingests;
    }

    /** Returns all processes. */
    public List<ServiceNode> nodes() {
        return nodes;
    }

    /** Starts all processes that were added. */
    public void start() throws IOException {
        for (ServiceNode node : nodes) {
            node.restart();
        }
    }

    /** Waits until all processes are ready and all values have their copies. */
    public void awaitIntact() {
        nodes.forEach(node -> node.awaitUp("readiness"));
        servers.forEach(server -> server.awaitUp("copies"));
    }

    /** Prints what all processes have printed. */
    public void printOutput() throws IOException {
        for (ServiceNode node : nodes) {
            System.out.println("== " + node + "\n" + node.millrace().output());
        }
    }

    @Override
    public void close() {
        nodes.forEach(ServiceNode::close);
    }
}
