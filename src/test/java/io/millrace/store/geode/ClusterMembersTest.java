package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.codec.RecordBatch;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.error.StoreException;
import io.millrace.store.query.Query;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.RegionInfo;
import io.millrace.store.region.Retention;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.cache.control.ResourceManager;
import org.apache.geode.cache.partition.PartitionMemberInfo;
import org.apache.geode.cache.partition.PartitionRegionHelper;
import org.apache.geode.cache.server.CacheServer;
import org.apache.geode.distributed.DistributedMember;
import org.apache.geode.internal.cache.CacheServerImpl;
import org.apache.geode.internal.cache.PartitionedRegion;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** This process as one server of a cluster, with a locator and other servers beside it. */
class ClusterMembersTest {

    private static final int RECORDS = 2000;
    private static final byte[] FEED = Trades.feed(RECORDS + 4);

    @TempDir
    static Path folder;

    private static final List<ForkedMember> OTHERS = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static GeodeStore store;

    @BeforeAll
    static void join() throws Exception {
        int locator = FreePort.next();
        OTHERS.add(ForkedMember.locator(folder, locator).awaitReady());
        OTHERS.add(ForkedMember.server("two", "a", locator));
        OTHERS.add(ForkedMember.server("three", "b", locator));
        store = ForkedMember.join("one", "a", locator);
        for (ForkedMember other : OTHERS.subList(1, OTHERS.size())) {
            other.awaitReady();
        }
        await().untilAsserted(() -> assertThatCode(store::requireCopies).doesNotThrowAnyException());
    }

    @AfterAll
    static void leave() {
        store.close();
        OTHERS.forEach(ForkedMember::close);
    }

    /** A window of TCP without scaling has less than 64 KiB. */
    @Test
    void shouldServeClientsWithLargeBuffers() throws IOException {
        CacheServerImpl server = (CacheServerImpl)
                CacheFactory.getAnyInstance().getCacheServers().getFirst();
        InetAddress here = InetAddress.getLoopbackAddress();
        try (ServerSocket port = server.getSocketCreatorSupplier()
                        .get()
                        .createServerSocket(0, 1, here, List.of(), server.getSocketBufferSize());
                Socket client = new Socket(here, port.getLocalPort());
                Socket accepted = port.accept()) {
            accepted.setReceiveBufferSize(server.getSocketBufferSize());
            accepted.setSendBufferSize(server.getSocketBufferSize());
            assertThat(client.isConnected()).isTrue();
            assertThat(accepted.getReceiveBufferSize()).isGreaterThan(1 << 16);
            assertThat(accepted.getSendBufferSize()).isGreaterThan(1 << 16);
        }
    }

    /** Geode sets the system property from the configuration of the member, and reads it when it opens connections. */
    @Test
    void shouldSendAFullBlockToAnotherMemberInOneMessage() {
        int fullBlock = RegionDefinition.DEFAULT_BLOCK_RECORDS * Trades.LENGTH;
        assertThat(Integer.getInteger("p2p.tcpBufferSize")).isGreaterThan(fullBlock + (1 << 10));
    }

    /** The buffer in the heap that each connection of a client has before the client is known. */
    @Test
    void shouldKeepSmallBuffersInTheHeapForClients() {
        CacheServerImpl server = (CacheServerImpl)
                CacheFactory.getAnyInstance().getCacheServers().getFirst();
        assertThat(server.getSocketBufferSize()).isEqualTo(CacheServer.DEFAULT_SOCKET_BUFFER_SIZE);
    }

    private RegionWriter writer(String region) {
        return Writers.open(store, region, "trades", 0, Trades.SCHEMA, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
    }

    private static PartitionedRegion region(String name) {
        return (PartitionedRegion) CacheFactory.getAnyInstance().getRegion(name);
    }

    @Test
    void shouldKeepNoTwoCopiesInOneZone() {
        PartitionedRegion region = region(ForkedMember.LONG);
        for (int bucket = 0; bucket < region.getTotalNumberOfBuckets(); bucket++) {
            Set<String> owners = region.getRegionAdvisor().getBucketOwners(bucket).stream()
                    .map(DistributedMember::getName)
                    .collect(Collectors.toSet());
            assertThat(owners).hasSize(2).contains("three");
        }
    }

    @Test
    void shouldLetCopiesOfOldBlocksGoToo() {
        writer(ForkedMember.SHORT).append(Trades.batch(FEED, 0, RECORDS));

        // Each server keeps as many of the newest as one would alone.
        int kept = 3 * Retention.NEWEST_BLOCKS;
        await().until(() -> store.info(ForkedMember.SHORT).entries() <= kept);

        await().untilAsserted(() -> {
            // A block of four records takes 164 bytes here; were the copies of all 500 left, they alone would take
            // 82,000.
            assertThat(bytesWithCopies(ForkedMember.SHORT)).isBetween(1L, 2L * kept * 192);
            // Blocks are counted as expired after they were removed.
            RegionInfo info = store.info(ForkedMember.SHORT);
            assertThat(info.expired() + info.records()).isEqualTo(RECORDS);
        });
        assertThat(writer(ForkedMember.SHORT).covered()).isEqualTo((long) RECORDS * Trades.LENGTH);
    }

    /**
     * As where it has joined its cluster and has not read its disk yet: the writer must not take itself for replaced.
     */
    @Test
    void shouldNotTakeATermForEndedThatItDoesNotKnowYet() {
        WriterName name = WriterName.of("early", 0);
        Term onDisk = new Term(name, true, 1000, 1, "token");
        RegionWriter writer = store.writer(ForkedMember.LONG, name, Trades.SCHEMA, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> {
                    writer.open(onDisk, 0);
                    writer.append(Trades.batch(FEED, 0, 4));
                    writer.flush();
                })
                .isExactlyInstanceOf(StoreException.class)
                .withMessageContaining("The terms on disk are not open yet on this server.");
    }

    private static long bytesWithCopies(String name) {
        return PartitionRegionHelper.getPartitionRegionInfo(region(name)).getPartitionMemberInfo().stream()
                .mapToLong(PartitionMemberInfo::getSize)
                .sum();
    }

    @Test
    void shouldAnswerQueriesWhileTheMemoryIsFull() {
        RegionWriter writer = writer(ForkedMember.LONG);
        writer.append(Trades.batch(FEED, 0, RECORDS));
        ResourceManager resources = CacheFactory.getAnyInstance().getResourceManager();
        System.gc(); // so that what is in use counts for it
        resources.setCriticalHeapPercentage(0.001f);
        RecordBatch more = Trades.batch(FEED, RECORDS, RECORDS + 4);
        await().untilAsserted(() -> assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> writer.append(more))
                .withMessageContaining("low on memory"));

        assertThat(store.query(ForkedMember.LONG, new Query("amount >= 0", List.of(), List.of(), 1))
                        .counts()
                        .scanned())
                .isPositive();
        assertThat(store.info(ForkedMember.LONG).records()).isEqualTo(RECORDS);

        resources.setCriticalHeapPercentage(99);
        await().untilAsserted(() -> writer.append(more));
        assertThat(store.info(ForkedMember.LONG).records()).isEqualTo(RECORDS + 4);
    }
}
