package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.feed.radius.RadiusFeed;
import io.millrace.feed.radius.RecordingClient;
import io.millrace.feed.radius.StoredRequests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.cache.CacheWriterException;
import org.apache.geode.cache.EntryEvent;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.util.CacheWriterAdapter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A RADIUS feed answers what is stored, and nothing else: also while the store fails, and once it does no more. */
class AnswersTest {

    private static final int WAITING = 64;
    private static final int MANY = 1_000;
    private static final int REQUESTS = 3;
    private static final int LONG_MILLIS = 1_000;
    private static final int SHORT_MILLIS = 50;

    @TempDir
    Path folder;

    private final AtomicBoolean down = new AtomicBoolean();
    private int identifier;

    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class));

    @ParameterizedTest
    @ValueSource(strings = {"entries, key: sessionId", "blocks"})
    void shouldAnswerWhatIsStoredThoughTheStoreFailsForAWhile(String layout) {
        configured(layout).run(context -> {
            Region<Object, Object> region = CacheFactory.getAnyInstance().getRegion("sessions");
            region.getAttributesMutator().setCacheWriter(new FailingWriter());
            RadiusFeed feed = (RadiusFeed) pipeline(context).feed();
            int port = await().ignoreExceptionsInstanceOf(
                            IllegalStateException.class) // until the pipeline's thread has opened it
                    .until(() -> feed.address().getPort(), bound -> bound > 0);
            try (RecordingClient client = new RecordingClient(port);
                    DatagramSocket socket = new DatagramSocket()) {
                socket.connect(InetAddress.getLoopbackAddress(), port);
                await().until(() -> client.answers() >= MANY);
                awaitReady(socket);

                down.set(true);
                await().until(() -> waiting(feed) == WAITING && failures(context) >= 1);
                awaitUnready(feed, socket);
                await().until(() -> failures(context) >= 2);
                expectSilence(context, feed, client, socket);
                assertThat(stored(layout, region).missing(client.answered()))
                        .as("answered, but not stored")
                        .isEqualTo(new BitSet());

                int before = client.answers();
                down.set(false);
                await().until(() -> client.answers() >= before + MANY);
                awaitReady(socket);
                client.finish();
                await().until(() -> client.answers() == client.sent() && count(feed, "answered") >= client.sent());
                expectEachOnce(context, client, stored(layout, region));
            }
        });
    }

    /** While the store fails and more requests keep coming, nothing moves but the counts of what is discarded. */
    private void expectSilence(BeanFactory beans, RadiusFeed feed, RecordingClient client, DatagramSocket socket)
            throws IOException {
        long answered = count(feed, "answered");
        long admitted = count(feed, "admitted");
        long status = count(feed, "status");
        long overload = count(feed, "discarded-overload");
        long notReady = count(feed, "discarded-not-ready");
        long failures = failures(beans);
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(isAnswered(socket, SHORT_MILLIS)).isFalse();
        }
        await().until(() -> failures(beans) > failures && count(feed, "discarded-overload") > overload + MANY);
        await().until(() -> count(feed, "discarded-not-ready") >= notReady + REQUESTS);
        assertThat(count(feed, "status")).isEqualTo(status);
        assertThat(count(feed, "answered")).isEqualTo(answered);
        assertThat(count(feed, "admitted")).isEqualTo(admitted).isEqualTo(answered + WAITING);
        assertThat((long) client.answers()).isLessThanOrEqualTo(answered);
        assertThat(PipelineStatus.of(pipeline(beans)).inFlight()).isBetween(1L, (long) WAITING);
    }

    private static void expectEachOnce(BeanFactory beans, RecordingClient client, StoredRequests stored) {
        int sent = client.sent();
        PipelineStatus status = PipelineStatus.of(pipeline(beans));
        BitSet all = new BitSet();
        all.set(0, sent);
        assertThat(stored.numbers()).isEqualTo(all);
        assertThat(stored.records()).isEqualTo(sent);
        assertThat(status.error()).isNull();
        assertThat(status.in()).isEqualTo(sent);
        assertThat(status.kept()).isEqualTo(sent);
        assertThat(status.feed()).containsEntry("admitted", (long) sent).containsEntry("answered", (long) sent);
    }

    private void awaitUnready(RadiusFeed feed, DatagramSocket socket) {
        long before = count(feed, "discarded-not-ready");
        await().until(() -> !isAnswered(socket, SHORT_MILLIS) && count(feed, "discarded-not-ready") > before);
    }

    private void awaitReady(DatagramSocket socket) {
        await().until(() -> isAnswered(socket, LONG_MILLIS));
    }

    /** Asks for the server's state, and tells whether it answers; an answer to an earlier query is none. */
    private boolean isAnswered(DatagramSocket socket, int millis) throws IOException {
        identifier = (identifier + 1) % 256;
        byte[] query = RecordingClient.statusServer(identifier);
        socket.send(new DatagramPacket(query, query.length));
        socket.setSoTimeout(millis);
        DatagramPacket answer = new DatagramPacket(new byte[20], 20);
        try {
            do {
                socket.receive(answer);
            } while ((answer.getData()[1] & 0xFF) != identifier);
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    private static StoredRequests stored(String layout, Region<Object, Object> region) {
        return layout.startsWith("entries")
                ? StoredRequests.ofEntries(region.values())
                : StoredRequests.ofBlocks(region.values());
    }

    /** How many requests are admitted but not answered. What was answered is read first, so it is never too few. */
    private static long waiting(RadiusFeed feed) {
        long answered = count(feed, "answered");
        return count(feed, "admitted") - answered;
    }

    private static long count(RadiusFeed feed, String name) {
        return Objects.requireNonNull(feed.counts().get(name)).get();
    }

    private static long failures(BeanFactory beans) {
        return pipeline(beans).storeRetries().get();
    }

    private static Pipeline pipeline(BeanFactory beans) {
        return beans.getBean(Pipelines.class).named("network").orElseThrow();
    }

    private ApplicationContextRunner configured(String layout) {
        try {
            Path config = Files.writeString(
                    folder.resolve("config.yml"), """
                    millrace:
                      regions:
                        sessions: { layout: %s }
                      pipelines:
                        network:
                          feed:
                            radius:
                              port: 0
                              max-pending-requests: %d
                              max-share-per-client: 100%%
                              max-response-delay: 200ms
                              clients:
                                - { address: 127.0.0.1, secret: %s }
                          schema: radius-accounting
                          steps:
                            - to: sessions
                    """.formatted(layout, WAITING, RecordingClient.SECRET));
            return context.withInitializer(new ConfigDataApplicationContextInitializer())
                    .withPropertyValues(
                            "spring.config.location=" + config.toUri(), "millrace.data=" + folder.resolve("data"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class FailingWriter extends CacheWriterAdapter<Object, Object> {

        @Override
        public void beforeCreate(EntryEvent<Object, Object> event) {
            refuse();
        }

        @Override
        public void beforeUpdate(EntryEvent<Object, Object> event) {
            refuse();
        }

        private void refuse() {
            if (down.get()) {
                throw new CacheWriterException("the store is down");
            }
        }
    }
}
