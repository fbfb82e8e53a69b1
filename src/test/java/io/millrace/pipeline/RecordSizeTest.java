package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.feed.tcp.TcpFeed;
import io.millrace.schema.FixedLayout;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Fixed records of the largest length that a schema may have. */
class RecordSizeTest {

    private static final int LENGTH = FixedLayout.MAX_LENGTH;
    private static final int RECORDS = 20;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"blocks", "blocks, encoding: columns", "entries, key: first"})
    void shouldStoreTheLongestRecordsOfAFile(String layout) throws IOException {
        Path file = Files.write(folder.resolve("large.bin"), records());
        run("feed: { file: " + file + " }", layout, context -> {
            await().until(() -> pipeline(context).state() == PipelineState.DONE);
            assertStored(context);
        });
    }

    @Test
    void shouldStoreTheLongestRecordsOfASocket() throws IOException {
        run("feed: { tcp: { port: 0 } }", "blocks", context -> {
            TcpFeed feed = (TcpFeed) pipeline(context).feed();
            await().until(() -> feed.port() != 0);
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), feed.port())) {
                socket.getOutputStream().write(records());
                await().until(() -> PipelineStatus.of(pipeline(context)).kept() == RECORDS);
            }
            await().untilAsserted(() -> assertStored(context));
        });
    }

    @Test
    void shouldGenerateTheLongestRecords() throws IOException {
        run("feed: { generator: { count: " + RECORDS + " } }", "blocks", context -> {
            await().until(() -> pipeline(context).state() == PipelineState.DONE);
            assertThat(PipelineStatus.of(pipeline(context)).kept()).isEqualTo(RECORDS);
        });
    }

    private void run(String feed, String layout, ThrowingConsumer asserted) throws IOException {
        Path schemas = Files.createDirectories(folder.resolve("schemas"));
        Files.writeString(schemas.resolve("large.yml"), """
                schema: large
                layout: fixed
                length: %d
                fields:
                  - { name: first, type: i32, at: 0 }
                  - { name: last,  type: i32, at: %d }
                """.formatted(LENGTH, LENGTH - Integer.BYTES));
        Path config = Files.writeString(
                folder.resolve("config.yml"), """
                millrace:
                  schemas: %s
                  data: %s
                  regions:
                    all: { layout: %s }
                  pipelines:
                    large:
                      %s
                      schema: large
                      steps:
                        - filter: first + last >= 0 or first + last < 0
                        - to: all
                """.formatted(schemas, folder.resolve("data"), layout, feed));
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withPropertyValues("spring.config.location=" + config.toUri())
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    asserted.accept(context);
                });
    }

    /** What runs in the application's context. */
    private interface ThrowingConsumer {

        void accept(BeanFactory context) throws IOException;
    }

    private static byte[] records() {
        ByteBuffer bytes = ByteBuffer.allocate(RECORDS * LENGTH);
        for (int i = 0; i < RECORDS; i++) {
            bytes.putInt(i * LENGTH, i).putInt((i + 1) * LENGTH - Integer.BYTES, 1000 + i);
        }
        return bytes.array();
    }

    private static void assertStored(BeanFactory context) {
        List<Map<String, Object>> stored = List.copyOf(context.getBean(Store.class)
                .query("all", new Query(null, List.of("first", "last"), List.of("first"), RECORDS + 1))
                .records());
        assertThat(stored)
                .isEqualTo(IntStream.range(0, RECORDS)
                        .mapToObj(i -> Map.of("first", (long) i, "last", 1000L + i))
                        .toList());
    }

    private static Pipeline pipeline(BeanFactory context) {
        return context.getBean(Pipelines.class).named("large").orElseThrow();
    }
}
