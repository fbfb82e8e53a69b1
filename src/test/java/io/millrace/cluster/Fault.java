package io.millrace.cluster;

import java.util.List;
import java.util.Random;

/** Something that befalls a cluster, and ends. */
enum Fault {
    /** A server is killed, and started again. */
    KILL_SERVER("Joined the cluster: role=server") {
        @Override
        List<Node> befall(Cluster cluster, Random random) throws InterruptedException {
            Node server = any(cluster, random);
            server.strike();
            last(random, 5);
            server.startAgain();
            return List.of(server);
        }
    },
    /** The ingest that owns the pipelines is killed, and started again once the other one has taken over. */
    KILL_INGEST("Pipeline trades is on standby: owner=") {
        @Override
        List<Node> befall(Cluster cluster, Random random) throws InterruptedException {
            Node owner = cluster.owner();
            owner.strike();
            cluster.awaitTakeover(owner);
            last(random, 1);
            owner.startAgain();
            return List.of(owner);
        }
    },
    /** It stands still until the other one has taken over, and wakes up as if it still were the owner. */
    PAUSE_INGEST("Pipeline trades was taken over by another process") {
        @Override
        List<Node> befall(Cluster cluster, Random random) throws InterruptedException {
            Node owner = cluster.owner();
            owner.pause();
            cluster.awaitTakeover(owner);
            last(random, 1);
            owner.unpause();
            return List.of(owner);
        }
    },
    /** Both are killed, and started again. */
    KILL_BOTH_INGESTS("Started Millrace in") {
        @Override
        List<Node> befall(Cluster cluster, Random random) throws InterruptedException {
            cluster.ingests.forEach(Node::strike);
            last(random, 2);
            cluster.ingests.forEach(Node::startAgain);
            return cluster.ingests;
        }
    },
    /** The locator is killed, and started again. */
    KILL_LOCATOR("Joined the cluster: role=locator") {
        @Override
        List<Node> befall(Cluster cluster, Random random) throws InterruptedException {
            cluster.locator.strike();
            last(random, 5);
            cluster.locator.startAgain();
            return List.of(cluster.locator);
        }
    },
    /** A server stands still for longer than the others wait for it. */
    PAUSE_SERVER("Removed from the cluster because") {
        @Override
        List<Node> befall(Cluster cluster, Random random) throws InterruptedException {
            Node server = any(cluster, random);
            server.pause();
            last(random, 12);
            server.unpause();
            return List.of(server);
        }
    },
    /** A server loses its network to all others for a while. */
    CUT_SERVER("Removed from the cluster because") {
        @Override
        List<Node> befall(Cluster cluster, Random random) throws InterruptedException {
            Node server = any(cluster, random);
            server.cut();
            last(random, 15);
            server.heal();
            return List.of(server);
        }
    },
    /** The ingest that owns the pipelines loses its network to the servers, for longer than it waits for an answer. */
    CUT_INGEST("Store attempt failed, retrying: ") {
        @Override
        List<Node> befall(Cluster cluster, Random random) throws InterruptedException {
            Node owner = cluster.owner();
            owner.cut();
            cluster.awaitTakeover(owner);
            last(random, 16);
            owner.heal();
            return List.of(owner);
        }
    },
    /** The disk of a server is full for a while. */
    FULL_DISK("Left the cluster, rejoining: role=server") {
        @Override
        List<Node> befall(Cluster cluster, Random random) throws Exception {
            cluster.fillDisk();
            last(random, 15);
            cluster.freeDisk();
            return List.of(cluster.smallServer());
        }
    },
    /** Everything is stopped and started again, one after the other. */
    ROLLING_RESTART("Started Millrace in") {
        @Override
        List<Node> befall(Cluster cluster, Random random) {
            List<Node> nodes = cluster.nodes().toList();
            for (Node node : nodes) {
                node.shutDown();
                node.startAgain();
                cluster.awaitRecovery();
            }
            return nodes;
        }
    },
    /** Both servers are killed, one after the other, so that the locator is alone. */
    KILL_BOTH_SERVERS("Joined the cluster: role=server") {
        @Override
        List<Node> befall(Cluster cluster, Random random) throws InterruptedException {
            Node first = any(cluster, random);
            Node second = cluster.servers.get(1 - cluster.servers.indexOf(first));
            first.strike();
            last(random, 5);
            second.strike();
            last(random, 10);
            // In the order in which they were killed: the first one has to wait for what only the second one knows.
            first.startAgain();
            second.startAgain();
            return cluster.servers;
        }
    };

    private final String sentence;

    Fault(String sentence) {
        this.sentence = sentence;
    }

    /** Lets it befall the cluster, and returns after its end with the nodes that it befell. */
    abstract List<Node> befall(Cluster cluster, Random random) throws Exception;

    /** What each of the nodes says of it in its log. */
    String sentence() {
        return sentence;
    }

    private static Node any(Cluster cluster, Random random) {
        return cluster.servers.get(random.nextInt(cluster.servers.size()));
    }

    /** Lasts for some seconds, and up to two more. */
    private static void last(Random random, int seconds) throws InterruptedException {
        Thread.sleep(1000L * seconds + random.nextInt(2000));
    }
}
