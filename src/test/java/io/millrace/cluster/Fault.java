package io.millrace.cluster;

import io.millrace.nemesis.Nemesis;
import io.millrace.nemesis.ProcessNemesis;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/** A fault of a cluster, which ends. */
enum Fault {
    /** A server is killed, and started again. */
    KILL_SERVER(Target.SERVERS, "Joined the cluster: role=server") {
        @Override
        List<Node> strike(Cluster cluster, Random random) throws Exception {
            return strikeServer(cluster, random, ProcessNemesis::kill, 5);
        }
    },
    /** The ingest that owns the pipelines is killed, and started again once the other one has taken over. */
    KILL_INGEST(Target.INGESTS, "Pipeline trades is on standby: owner=") {
        @Override
        List<Node> strike(Cluster cluster, Random random) throws Exception {
            return strikeOwner(cluster, random, ProcessNemesis::kill, 1);
        }
    },
    /** It stands still until the other one has taken over, and wakes up as if it still were the owner. */
    PAUSE_INGEST(Target.INGESTS, "Pipeline trades was taken over by another process") {
        @Override
        List<Node> strike(Cluster cluster, Random random) throws Exception {
            return strikeOwner(cluster, random, ProcessNemesis::pause, 1);
        }
    },
    /** Both are killed, and started again. */
    KILL_BOTH_INGESTS(Target.INGESTS, "Started Millrace in") {
        @Override
        List<Node> strike(Cluster cluster, Random random) throws InterruptedException {
            cluster.ingests.forEach(Node::kill);
            last(random, 2);
            cluster.ingests.forEach(Node::restart);
            return cluster.ingests;
        }
    },
    /** The locator is killed, and started again. */
    KILL_LOCATOR(Target.LOCATOR, "Joined the cluster: role=locator") {
        @Override
        List<Node> strike(Cluster cluster, Random random) throws Exception {
            ProcessNemesis.kill(cluster.locator).strike(millis(random, 5));
            return List.of(cluster.locator);
        }
    },
    /** A server stands still for longer than the others wait for it. */
    PAUSE_SERVER(Target.SERVERS, "Removed from the cluster because") {
        @Override
        List<Node> strike(Cluster cluster, Random random) throws Exception {
            return strikeServer(cluster, random, ProcessNemesis::pause, 12);
        }
    },
    /** A server loses its network to all others for a while. */
    CUT_SERVER(Target.SERVERS, "Removed from the cluster because") {
        @Override
        List<Node> strike(Cluster cluster, Random random) throws Exception {
            return strikeServer(cluster, random, Node::cutOff, 15);
        }
    },
    /** The ingest that owns the pipelines loses its network to the servers, for longer than it waits for an answer. */
    CUT_INGEST(Target.INGESTS, "Store attempt failed, retrying: ") {
        @Override
        List<Node> strike(Cluster cluster, Random random) throws Exception {
            return strikeOwner(cluster, random, Node::cutOff, 16);
        }
    },
    /** The disk of a server is full for a while. */
    FULL_DISK(Target.SERVERS, "Left the cluster, rejoining: role=server") {
        @Override
        List<Node> strike(Cluster cluster, Random random) throws Exception {
            cluster.fillDisk();
            last(random, 15);
            cluster.freeDisk();
            return List.of(cluster.smallServer());
        }
    },
    /** Everything is stopped and started again, one after the other. */
    ROLLING_RESTART(Target.ALL, "Started Millrace in") {
        @Override
        List<Node> strike(Cluster cluster, Random random) {
            List<Node> nodes = cluster.nodes().toList();
            for (Node node : nodes) {
                node.shutDown();
                node.restart();
                cluster.awaitRecovery();
            }
            return nodes;
        }
    },
    /** Both servers are killed, one after the other, so that the locator is alone. */
    KILL_BOTH_SERVERS(Target.ALL, "Joined the cluster: role=server") {
        @Override
        List<Node> strike(Cluster cluster, Random random) throws InterruptedException {
            Node first = any(cluster, random);
            Node second = cluster.servers.get(1 - cluster.servers.indexOf(first));
            first.kill();
            last(random, 5);
            second.kill();
            last(random, 10);
            // In the order in which they were killed: the first one has to wait for what only the second one knows.
            first.restart();
            second.restart();
            return cluster.servers;
        }
    };

    /** What a fault concerns. Two faults act at the same time only if they concern different things. */
    private enum Target {
        SERVERS,
        INGESTS,
        LOCATOR,
        ALL
    }

    private final Target target;
    private final String sentence;

    Fault(Target target, String sentence) {
        this.target = target;
        this.sentence = sentence;
    }

    /** Strikes the cluster, and returns after the end of the fault with the nodes that it struck. */
    abstract List<Node> strike(Cluster cluster, Random random) throws Exception;

    /** Returns whether both may act at the same time. */
    boolean goesWith(Fault other) {
        return target != Target.ALL && other.target != Target.ALL && target != other.target;
    }

    /** Returns what each of the nodes logs about it. */
    String sentence() {
        return sentence;
    }

    private static Node any(Cluster cluster, Random random) {
        return cluster.servers.get(random.nextInt(cluster.servers.size()));
    }

    private static List<Node> strikeServer(Cluster cluster, Random random, Function<Node, Nemesis> nemesis, int seconds)
            throws Exception {
        Node server = any(cluster, random);
        nemesis.apply(server).strike(millis(random, seconds));
        return List.of(server);
    }

    /** Until the other ingest has taken over, and some seconds longer. */
    private static List<Node> strikeOwner(Cluster cluster, Random random, Function<Node, Nemesis> nemesis, int seconds)
            throws Exception {
        Node owner = cluster.owner();
        Nemesis started = nemesis.apply(owner);
        started.start();
        cluster.awaitTakeover(owner);
        last(random, seconds);
        started.stop();
        return List.of(owner);
    }

    private static void last(Random random, int seconds) throws InterruptedException {
        Thread.sleep(millis(random, seconds));
    }

    /** Some seconds, and up to two more. */
    private static long millis(Random random, int seconds) {
        return 1000L * seconds + random.nextInt(2000);
    }
}
