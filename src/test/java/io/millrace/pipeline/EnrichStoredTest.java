package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.pipeline.TradeFile.Trade;
import io.millrace.store.Store;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Query;
import io.millrace.table.Table;
import io.millrace.table.Tables;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/** Stored records whose added fields hold extreme values, or are absent, are found and counted as such. */
class EnrichStoredTest {

    private static final String SCHEMA = """
            schema: limits
            fields:
              - { name: id, type: i64 }
              - { name: most, type: u8 }
              - { name: port, type: u16 }
              - { name: host, type: ipv4 }
              - { name: since, type: instant, unit: ms }
              - { name: note, type: string, length: 3 }
              - { name: hash, type: bytes, length: 2 }
            """;
    private static final int TRADES = 300;

    @TempDir
    Path folder;

    private ApplicationContextRunner run(String config) throws IOException {
        Path schemas = Files.createDirectories(folder.resolve("schemas"));
        Files.writeString(schemas.resolve("limits.yml"), SCHEMA);
        Path file = Files.writeString(folder.resolve("config.yml"), config);
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withPropertyValues(
                        "spring.config.location=" + file.toUri(),
                        "millrace.schemas=" + schemas,
                        "millrace.data=" + folder.resolve("data"));
    }

    /** Of two keys: all bits set, and none. Of a third there is no row. */
    private Path limits() throws IOException {
        ByteBuffer rows = ByteBuffer.allocate(2 * 28);
        rows.putLong(0)
                .put((byte) -1)
                .putShort((short) -1)
                .putInt(-1)
                .putLong(0)
                .put("max".getBytes(StandardCharsets.US_ASCII));
        rows.putShort((short) -1);
        rows.putLong(1)
                .put((byte) 0)
                .putShort((short) 0)
                .putInt(0)
                .putLong(0)
                .put("   ".getBytes(StandardCharsets.US_ASCII));
        rows.putShort((short) 0);
        return Files.write(folder.resolve("limits.bin"), rows.array());
    }

    private static @Nullable Object expected(String field, long id) {
        if (id % 3 == 2) {
            return null;
        }
        boolean largest = id % 3 == 0;
        return switch (field) {
            case "most" -> largest ? 255L : 0L;
            case "port" -> largest ? 65_535L : 0L;
            case "host" -> largest ? "255.255.255.255" : "0.0.0.0";
            default -> largest ? "max" : "";
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ layout: blocks }",
                "{ layout: blocks, key: port }",
                "{ layout: blocks, encoding: columns }",
                "{ layout: blocks, encoding: columns, key: most }",
                "{ layout: entries, key: id }"
            })
    void shouldFindAndCountExtremeAndAbsentValues(String region) throws IOException {
        Path trades = TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(TRADES, 5));
        run("""
                millrace:
                  tables:
                    limits: { file: %s, key: id, schema: limits }
                  regions:
                    all: %s
                  pipelines:
                    trades:
                      feed: { file: %s }
                      schema: trade
                      steps:
                        - enrich:
                            table: limits
                            key: id %% 3
                            add: { most: most, port: port, host: host, since: since, note: note, hash: hash }
                        - to: all
                """.formatted(limits(), region, trades)).run(context -> {
            await().until(() -> context.getBean(Pipelines.class)
                            .named("trades")
                            .orElseThrow()
                            .state()
                    == PipelineState.DONE);
            Store store = context.getBean(Store.class);
            List<Map<String, @Nullable Object>> records = find(store, null);
            assertThat(records).hasSize(TRADES);
            for (Map<String, @Nullable Object> record : records) {
                long id = (long) Objects.requireNonNull(record.get("id"));
                for (String field : List.of("most", "port", "host", "note")) {
                    assertThat(record).containsEntry(field, expected(field, id));
                }
            }
            long largest = count(records, 0);
            long zero = count(records, 1);
            long absent = count(records, 2);
            assertThat(List.of(largest, zero, absent)).doesNotContain(0L);
            for (String field : List.of("most", "port", "host", "since", "note", "hash")) {
                assertThat(find(store, field + " == null")).as(field).hasSize((int) absent);
                assertThat(find(store, field + " != null")).as(field).hasSize((int) (largest + zero));
            }
            for (String condition : List.of("most == 0", "port == 0", "host == '0.0.0.0'", "note == ''", "most < 5")) {
                long below = condition.contains("<") ? absent : 0; // null is below every number
                assertThat(find(store, condition)).as(condition).hasSize((int) (zero + below));
            }
            for (String condition : List.of(
                    "most == 255",
                    "most > 254",
                    "port == 65535",
                    "host == '255.255.255.255'",
                    "note == 'max'",
                    "{'max', 'min'}.contains(note)",
                    "note != null && note.startsWith('m')")) {
                assertThat(find(store, condition)).as(condition).hasSize((int) largest);
            }
            for (String field : List.of("most", "port", "host", "note")) {
                Map<@Nullable Object, @Nullable Object> counts = new HashMap<>();
                store.aggregate("all", new AggregateQuery(null, List.of(field), List.of("count()"), 10))
                        .groups()
                        .forEach(group -> counts.put(group.get(field), group.get("count()")));
                Map<@Nullable Object, @Nullable Object> expected = new HashMap<>();
                expected.put(expected(field, 0), largest);
                expected.put(expected(field, 1), zero);
                expected.put(null, absent);
                assertThat(counts).as(field).isEqualTo(expected);
            }
            assertThat(store.aggregate(
                                    "all",
                                    new AggregateQuery(
                                            "most != null", List.of(), List.of("min(most)", "max(port)"), 10))
                            .groups())
                    .containsExactly(Map.of("min(most)", 0L, "max(port)", 65_535L));
        });
    }

    private static List<Map<String, @Nullable Object>> find(Store store, @Nullable String where) {
        return store.query("all", new Query(where, List.of(), List.of("most", "id"), Query.MAX_LIMIT))
                .records();
    }

    private static long count(List<Map<String, @Nullable Object>> records, int rest) {
        return records.stream()
                .filter(record -> (long) Objects.requireNonNull(record.get("id")) % 3 == rest)
                .count();
    }

    /** A table follows a region whose records were enriched: their schema says so by null flags. */
    @Test
    void shouldFollowARegionOfEnrichedRecords() throws IOException {
        Files.createDirectories(folder.resolve("schemas"));
        String fields = Files.readString(Path.of("src/main/resources/schemas/trade.yml"))
                .replace("schema: trade", "schema: limited")
                .stripTrailing();
        Files.writeString(
                folder.resolve("schemas").resolve("limited.yml"),
                fields + "\n  - { name: most, type: u8, optional: true, absent: flag }\n");
        run("""
                millrace:
                  tables:
                    limits: { file: %s, key: id, schema: limits }
                    last: { region: latest, key: id, schema: limited }
                  regions:
                    latest: { layout: entries, key: id }
                    all: { layout: entries, key: id }
                  pipelines:
                    fill:
                      schema: trade
                      steps:
                        - enrich: { table: limits, key: id, add: { most: most } }
                        - to: latest
                    trades:
                      schema: trade
                      steps:
                        - enrich: { table: last, key: id, add: { most: most, rate: exchangeRate } }
                        - to: all
                """.formatted(limits())).run(context -> {
            for (String pipeline : List.of("fill", "trades")) {
                MessageChannel in = context.getBean(pipeline + ".in", MessageChannel.class);
                for (long id = 0; id < 4 - (pipeline.equals("fill") ? 1 : 0); id++) {
                    in.send(new GenericMessage<>(new Trade(id, 1, 0, 4, 1, 0.0, 1, 1, 1).bytes()));
                }
                Table last = context.getBean(Tables.class).named("last").orElseThrow();
                await().until(() -> last.status().rows() == 3);
            }
            Store store = context.getBean(Store.class);
            await().until(() -> find(store, null).size() == 4);
            Map<Object, @Nullable Object> most = new HashMap<>();
            Map<Object, @Nullable Object> rates = new HashMap<>();
            find(store, null).forEach(record -> {
                most.put(Objects.requireNonNull(record.get("id")), record.get("most"));
                rates.put(Objects.requireNonNull(record.get("id")), record.get("rate"));
            });
            assertThat(most).containsEntry(0L, 255L).containsEntry(1L, 0L).containsEntry(2L, null);
            assertThat(most).containsEntry(3L, null);
            assertThat(rates).containsEntry(0L, 0.0).containsEntry(2L, 0.0).containsEntry(3L, null);
        });
    }
}
