package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.TestTimeout;
import io.millrace.nemesis.ClockNemesis;
import io.millrace.nemesis.Nemesis;
import io.millrace.nemesis.NetworkNemesis;
import io.millrace.nemesis.SystemFaults;
import io.millrace.store.geode.cache.GeodeOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.client.ClientCacheFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clocks of members jump, and are right again afterwards. */
@Tag("long")
class ClockJumpsTest {

    /** How long the coordinator collects requests for a view, at least. */
    private static final int COLLECTING_MILLIS = 150;

    /** A few heartbeats of members. */
    private static final int HEARTBEATS_MILLIS = 8_000;

    private static final int JOINS = 3;
    private static final long JUMPING_MILLIS = 10_000;
    private static final int WRITERS = 8;

    /** In seconds, much longer than the test waits: a lock that waits for the end of its lease makes it fail. */
    private static final String LEASE = "gemfire.Cache.defaultLockLease";

    /** How long members keep a TCP connection that they don't use. Its end would show them the end of a member. */
    private static final String IDLE_MILLIS = "gemfire.socket-lease-time";

    @TempDir
    Path folder;

    private int port;

    @SuppressWarnings("NullAway.Init") // compiled before each test
    private SystemFaults faults;

    @BeforeEach
    void prepare() throws Exception {
        System.setProperty(LEASE, "3600");
        System.setProperty(IDLE_MILLIS, "1000");
        faults = SystemFaults.in(folder);
        port = FreePort.next();
    }

    @AfterEach
    void restore() {
        System.clearProperty(LEASE);
        System.clearProperty(IDLE_MILLIS);
    }

    /** A coordinator that is set back collects the requests of members until its clock is where it was. */
    @Test
    void shouldAdmitMembersThoughTheCoordinatorIsSetBack() throws Exception {
        try (ForkedMember _ = ForkedMember.locator(folder, port, faults).awaitReady();
                NetworkNemesis network = new NetworkNemesis(port)) {
            for (int i = 0; i < JOINS; i++) {
                faults.setClock(Duration.ofHours(1));
                int connections = network.connections().size();
                try (ForkedMember server = ForkedMember.server("server-" + i, "a", network.port())) {
                    await().until(() -> network.connections().size() > connections);
                    Thread.sleep(COLLECTING_MILLIS); // the order of events that the test is about
                    faults.setClock(Duration.ZERO);
                    server.awaitReady();
                    server.leave();
                }
            }
        }
    }

    /** While it was ahead, it heard of its neighbor at times that lie ahead of its clock now. */
    @Test
    void shouldNoticeTheEndOfTheCoordinatorThoughItsClockWasAhead() throws Exception {
        try (ForkedMember locator = ForkedMember.locator(folder, port).awaitReady();
                ForkedMember _ = ForkedMember.server("one", "a", port, faults).awaitReady()) {
            faults.setClock(Duration.ofHours(1));
            Thread.sleep(HEARTBEATS_MILLIS); // nothing shows what it has heard
            faults.setClock(Duration.ZERO);
            locator.handle().destroyForcibly();
            try (ForkedMember _ = ForkedMember.locator(folder, port).awaitReady();
                    GeodeStore store = new GeodeStore(GeodeOptions.client(ForkedMember.client(port)))) {
                store.openFound(
                        ForkedMember.LONG); // the locator has joined the server, and not founded a second cluster
            }
        }
    }

    /**
     * A lock whose holder believes that its lease has ended stays until the lease ends at the server that grants it.
     */
    @Test
    void shouldWriteToSharedRegionsAfterJumps() throws Exception {
        try (ForkedMember _ = ForkedMember.locator(folder, port).awaitReady();
                ForkedMember _ = ForkedMember.server("one", "a", port).awaitReady();
                ForkedMember _ = ForkedMember.server("two", "b", port, faults).awaitReady();
                GeodeStore store = new GeodeStore(GeodeOptions.client(ForkedMember.client(port)));
                ExecutorService writers = Executors.newCachedThreadPool()) {
            store.audit("opens the region", false);
            Region<String, String> region = ClientCacheFactory.getAnyInstance().getRegion("millrace-audit-in-memory");
            AtomicBoolean jumping = new AtomicBoolean(true);
            Nemesis jumps = ClockNemesis.jumps(faults, 1);
            jumps.start();
            List<Future<?>> running = new ArrayList<>();
            CountDownLatch written = new CountDownLatch(WRITERS);
            for (int i = 0; i < WRITERS; i++) {
                running.add(writers.submit(() -> {
                    while (jumping.get()) {
                        write(region);
                    }
                    while (!write(region)) {
                        Thread.onSpinWait();
                    }
                    written.countDown();
                }));
            }
            Thread.sleep(JUMPING_MILLIS); // jumps that nothing can wait for
            jumps.stop();
            jumping.set(false);
            await().untilAsserted(() ->
                    assertThat(written.getCount()).as("writers that wait").isZero());
            for (Future<?> each : running) {
                each.get(TestTimeout.MAX.toSeconds(), TimeUnit.SECONDS);
            }
        }
    }

    /** Writes to one key, so that writers wait for each other's locks. */
    private static boolean write(Region<String, String> region) {
        try {
            region.put("key", "value");
            return true;
        } catch (RuntimeException e) {
            return false; // a server did not answer in time
        }
    }
}
