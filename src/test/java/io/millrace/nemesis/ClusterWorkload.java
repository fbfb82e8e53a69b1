package io.millrace.nemesis;

import static org.awaitility.Awaitility.await;

import io.millrace.MillraceProcess;
import io.millrace.nemesis.history.History;
import io.millrace.nemesis.history.Linearizability;
import io.millrace.nemesis.history.Positions;
import io.millrace.nemesis.history.SetFull;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;

/**
 * Clients of a cluster, whose histories are checked: one for each ingest node, which adds elements to the region
 * {@code added} and writes the registers of the region {@code registers} in turns, and readers of both, of any process.
 * Another thread watches that the position of the pipeline {@code trades} does not go back while one process owns it.
 *
 * <p>Registers are used for some time only, so that the history of each stays short enough to be checked.
 */
final class ClusterWorkload implements AutoCloseable {

    private static final long FIRST_REGISTER = 1_000_000_000L;
    private static final int REGISTERS = 5;
    private static final long REGISTERS_NANOS = 20_000_000_000L;
    private static final int RECENT = 500;
    private static final int PAGE = 5000;
    private static final int PAUSE_MILLIS = 20;
    private static final int READ_PAUSE_MILLIS = 100;
    private static final Pattern POSITION = Pattern.compile("\"position\":(\\d+)");
    private static final Pattern SUPERSEDED = Pattern.compile("\"superseded\":(\\d+)");

    private final LocalCluster cluster;
    private final History set = new History();
    private final History registers = new History();
    private final Positions positions = new Positions();
    private final AtomicLong elements = new AtomicLong();
    private final AtomicLong values = new AtomicLong();
    private final AtomicInteger reads = new AtomicInteger();
    private final long start = System.nanoTime();
    private final List<TradeClient> clients = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean closed;

    /** One turn of a thread. */
    private interface Turn {
        void run() throws InterruptedException;
    }

    /** @param ports on which the ingest nodes receive trades */
    ClusterWorkload(LocalCluster cluster, List<Integer> ports, long seed) {
        this.cluster = cluster;
        for (int i = 0; i < ports.size(); i++) {
            int client = i;
            Random random = new Random(seed + i);
            clients.add(new TradeClient(ports.get(i), PAUSE_MILLIS, () -> next(client, random)));
            Random choice = new Random(seed - 1 - i);
            start(() -> read(ports.size() + client, choice));
        }
        start(this::watchPositions);
    }

    private void start(Turn turn) {
        threads.add(Thread.ofPlatform().daemon().start(() -> {
            try {
                while (!closed) {
                    turn.run();
                    Thread.sleep(READ_PAUSE_MILLIS); // the rate of the reader
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        }));
    }

    private TradeClient.Send next(int client, Random random) {
        if (random.nextBoolean()) {
            long element = elements.incrementAndGet();
            return new TradeClient.Send(
                    TradeClient.trade(element, true, client), () -> set.write(client, element, client));
        }
        long register = register(random);
        long value = values.incrementAndGet();
        return new TradeClient.Send(
                TradeClient.trade(register, false, value), () -> registers.write(client, register, value));
    }

    private long register(Random random) {
        return FIRST_REGISTER + (System.nanoTime() - start) / REGISTERS_NANOS * REGISTERS + random.nextInt(REGISTERS);
    }

    private void read(int client, Random random) throws InterruptedException {
        ServiceNode node = anyNode(random);
        boolean read = RegionReader.readRegister(node.millrace(), "registers", register(random), client, registers);
        long last = elements.get();
        long from = Math.max(1, last - RECENT);
        read &= RegionReader.readSet(node.millrace(), node.name(), "added", from, last + 1, set);
        if (read) {
            reads.incrementAndGet();
        }
    }

    private ServiceNode anyNode(Random random) {
        List<ServiceNode> nodes = new ArrayList<>(cluster.servers());
        nodes.addAll(cluster.ingests());
        return nodes.get(random.nextInt(nodes.size()));
    }

    private void watchPositions() {
        for (ServiceNode ingest : cluster.ingests()) {
            // A process that lost the pipeline counts what it did not store as superseded, and may own it again later.
            MillraceProcess millrace = ingest.millrace();
            String page = millrace.page("/api/pipelines/trades");
            if (page.contains("\"state\":\"running\"")) {
                String tenure = "trades in process " + millrace.pid() + " after " + number(SUPERSEDED, page);
                positions.add(tenure, positions.before(tenure), number(POSITION, page));
            }
        }
    }

    private static long number(Pattern pattern, String page) {
        Matcher number = pattern.matcher(page);
        return number.find() ? Long.parseLong(number.group(1)) : -1;
    }

    /** Waits until each client and the readers have got something more. */
    void awaitProgress() {
        List<Long> before = clients.stream().map(TradeClient::acknowledged).toList();
        int readsBefore = reads.get();
        await("progress of the clients").until(() -> {
            requireNoFailure();
            for (int i = 0; i < before.size(); i++) {
                if (clients.get(i).acknowledged() <= before.get(i)) {
                    return false;
                }
            }
            return reads.get() > readsBefore + clients.size();
        });
    }

    private void requireNoFailure() {
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw new AssertionError(thrown);
        }
    }

    /** Ends the clients, reads everything once more, and requires that the histories are valid. */
    void verify() throws InterruptedException {
        clients.forEach(TradeClient::close);
        close();
        requireNoFailure();
        ServiceNode node = cluster.servers().getFirst();
        for (long from = 1; from <= elements.get(); from += PAGE) {
            long page = from;
            await("set")
                    .until(() -> RegionReader.readSet(node.millrace(), node.name(), "added", page, page + PAGE, set));
        }
        for (long register : registers.byKey().keySet()) {
            await("register")
                    .until(() -> RegionReader.readRegister(
                            node.millrace(), "registers", register, clients.size(), registers));
        }
        check();
    }

    /** Prints what the histories that were recorded so far contain, and requires that they are valid. */
    void check() {
        SoftAssertions all = new SoftAssertions();
        List<String> valid = new ArrayList<>();
        all.assertThatCode(() -> valid.add(SetFull.require(set).toString())).doesNotThrowAnyException();
        all.assertThatCode(() -> valid.add(String.format(
                        Locale.ROOT,
                        "%d operations on %d registers, linearizable",
                        Linearizability.require(registers.byKey()),
                        registers.byKey().size())))
                .doesNotThrowAnyException();
        valid.add(positions.count() + " positions, none went back");
        valid.forEach(System.out::println);
        all.assertAll();
    }

    @Override
    public void close() {
        closed = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
