package io.millrace.nemesis;

import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.nemesis.history.History;
import io.millrace.nemesis.history.Linearizability;
import io.millrace.nemesis.history.SetFull;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that stood still, or could not send, until the others removed it does not know that yet: it must not answer
 * from data that others have changed meanwhile, neither its own clients nor those of an ingest node.
 *
 * <p>{@code -Dmillrace.stale.rounds} strikes so many servers, one after the other.
 */
@Tag("long")
class StaleReadsIT {

    private static final int ROUNDS = Integer.getInteger("millrace.stale.rounds", 2);
    private static final int READERS = 4;
    private static final int WRITES_DURING_A_PAUSE = 20;
    private static final int RECENT = 2000;
    private static final long FIRST_REGISTER = 1_000_000_000L;
    private static final int REGISTERS = 10;
    private static final int OPERATIONS_ON_REGISTERS = 200;

    private static final String CONFIGURATION = """
            millrace:
              regions:
                added: { layout: blocks, key: id, redundant-copies: 1, persistent: true }
                registers: { layout: entries, key: id, redundant-copies: 1, persistent: true }
              pipelines:
            """ + TradeClient.PIPELINE.indent(4);

    @TempDir
    Path folder;

    private final History set = new History();
    private final History registers = new History();
    private final AtomicLong numbers = new AtomicLong();

    @Test
    void shouldNotAnswerFromDataThatOthersHaveChangedMeanwhile() throws Exception {
        Files.writeString(folder.resolve("config.yml"), CONFIGURATION);
        int port = FreePort.next();
        try (LocalCluster cluster = new LocalCluster(folder, "--millrace.geode.member-timeout=1s")) {
            Map<ServiceNode, SystemFaults> faults = new HashMap<>();
            for (int i = 1; i <= 3; i++) {
                ServiceNode server = cluster.server("server-" + i, "config.yml");
                faults.put(server, SystemFaults.in(Files.createDirectories(folder.resolve("faults-" + i))));
            }
            cluster.environment(name -> faults.entrySet().stream()
                    .filter(of -> of.getKey().name().equals(name))
                    .findFirst()
                    .map(of -> of.getValue().environment())
                    .orElse(Map.of()));
            cluster.ingest("ingest", "config.yml", "--millrace.pipelines.sent.feed.tcp.port=" + port);
            cluster.start();
            cluster.awaitIntact();
            try (TradeClient client = new TradeClient(port, 2, this::next)) {
                for (int round = 0; round < ROUNDS; round++) {
                    awaitAcknowledged(client, 50);
                    ServiceNode server = cluster.servers().get(round % 3);
                    SystemFaults own = Objects.requireNonNull(faults.get(server));
                    Nemesis nemesis =
                            round % 2 == 0 ? ProcessNemesis.pause(server) : NetworkNemesis.mute(server.name(), own);
                    strike(cluster, server, nemesis, client);
                }
            }
            System.out.println(SetFull.require(set));
            System.out.println(Linearizability.require(registers.byKey()) + " operations on registers");
        }
    }

    private TradeClient.Send next() {
        long number = numbers.incrementAndGet();
        if (number % 2 == 0) {
            return new TradeClient.Send(TradeClient.trade(number, true, 1), () -> set.write(0, number, 1));
        }
        long register = register(number);
        return new TradeClient.Send(
                TradeClient.trade(register, false, number), () -> registers.write(0, register, number));
    }

    private static void awaitAcknowledged(TradeClient client, int more) {
        long before = client.acknowledged();
        await().until(() -> client.acknowledged() > before + more);
    }

    private void strike(LocalCluster cluster, ServiceNode server, Nemesis nemesis, TradeClient client)
            throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        List<Thread> readers = new ArrayList<>();
        nemesis.start();
        try {
            // Others store what it should store too: it was removed.
            awaitAcknowledged(client, WRITES_DURING_A_PAUSE);
            for (ServiceNode asked : List.of(server, cluster.ingests().getFirst())) {
                for (int i = 0; i < READERS; i++) {
                    int reader = 1 + readers.size();
                    boolean sets = i % 2 == 0;
                    readers.add(Thread.ofPlatform().start(() -> {
                        while (!over.get()) {
                            answered.addAndGet(read(asked, sets, reader) ? 1 : 0);
                        }
                    }));
                }
            }
            Thread.sleep(500); // the readers of the server wait for it; what is asserted holds if they do not
        } finally {
            nemesis.stop();
        }
        cluster.awaitIntact();
        int before = answered.get();
        await().until(() -> answered.get() > before + READERS);
        over.set(true);
        for (Thread reader : readers) {
            reader.join();
        }
    }

    private boolean read(ServiceNode asked, boolean sets, int client) {
        long last = numbers.get();
        try {
            return sets
                    ? RegionReader.readSet(
                            asked.millrace(), asked.name(), "added", Math.max(1, last - RECENT), last + 1, set)
                    : RegionReader.readRegister(asked.millrace(), "registers", register(last), client, registers);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Each is used for some time only, so that its history stays short enough to be checked. */
    private static long register(long number) {
        return FIRST_REGISTER + number / OPERATIONS_ON_REGISTERS * REGISTERS + number / 2 % REGISTERS;
    }
}
