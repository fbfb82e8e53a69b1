package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.pipeline.TradeFile.Trade;
import io.millrace.store.Rejects;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import io.millrace.table.ServedTable;
import io.millrace.table.Table;
import io.millrace.table.Tables;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

class EnrichTest {

    private static final List<String> CURRENCIES = List.of("", "AUD", "CAD", "CHF", "EUR", "GBP", "JPY", "USD");

    @TempDir
    Path folder;

    private ApplicationContextRunner run(String config) throws IOException {
        Path file = Files.writeString(folder.resolve("config.yml"), config);
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withPropertyValues(
                        "spring.config.location=" + file.toUri(), "millrace.data=" + folder.resolve("data"));
    }

    private String config(String tables, String enrich) throws IOException {
        Path trades = TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(300, 5));
        return """
                millrace:
                  tables:
                %s
                  regions:
                    all: { layout: blocks }
                  pipelines:
                    trades:
                      feed: { file: %s }
                      schema: trade
                      steps:
                        - enrich: %s
                        - to: all
                """.formatted(tables.indent(4), trades, enrich);
    }

    private static Pipeline pipeline(BeanFactory beans, String name) {
        return beans.getBean(Pipelines.class).named(name).orElseThrow();
    }

    private static PipelineStatus done(ApplicationContext context) {
        await().until(() -> pipeline(context, "trades").state() == PipelineState.DONE);
        return PipelineStatus.of(pipeline(context, "trades"));
    }

    private static List<Map<String, Object>> all(BeanFactory beans) {
        return List.copyOf(beans.getBean(Store.class)
                .query("all", new Query(null, List.of(), List.of("id"), Query.MAX_LIMIT))
                .records());
    }

    @Test
    void shouldFindRowsByNamesAndTexts() throws IOException {
        Path file = Files.writeString(
                folder.resolve("c.jsonl"),
                "{\"code\":\"EUR\",\"name\":\"Euro\"}\n{\"code\":\"CHF\",\"name\":\"Franc\"}\n");
        for (String key : List.of("currency1", "currency1.toUpperCase()")) {
            run(config(
                            "currencies: { file: \"" + file + "\", key: code }",
                            "{ table: currencies, key: " + key + ", add: { currency: name } }"))
                    .run(context -> {
                        assertThat(done(context).rejected()).isZero();
                        List<Trade> trades = TradeFile.random(300, 5);
                        List<Map<String, Object>> records = all(context);
                        for (int i = 0; i < 300; i++) {
                            String code = CURRENCIES.get(trades.get(i).currency1());
                            assertThat(records.get(i))
                                    .containsEntry(
                                            "currency",
                                            code.equals("EUR") ? "Euro" : code.equals("CHF") ? "Franc" : null);
                        }
                    });
        }
    }

    @Test
    void shouldWriteDefaultsWhereThereIsNoRow() throws IOException {
        Path file = Files.writeString(folder.resolve("desks.csv"), "id,name,limit\n1,Paris,10.5\n");
        run(config(
                        "desks: { file: \"" + file + "\", key: id }",
                        "{ table: desks, key: id % 3, add: { desk: name, most: limit, other: name }, on-miss: default,"
                                + " defaults: { desk: none, most: 7 } }"))
                .run(context -> {
                    done(context);
                    for (Map<String, Object> record : all(context)) {
                        boolean found = (long) Objects.requireNonNull(record.get("id")) % 3 == 1;
                        assertThat(record)
                                .containsEntry("desk", found ? "Paris" : "none")
                                .containsEntry("most", new BigDecimal(found ? "10.5" : "7.0"))
                                .containsEntry("other", found ? "Paris" : null);
                    }
                });
    }

    @Test
    void shouldRejectTextsThatNoRowHas() throws IOException {
        Path file = Files.writeString(folder.resolve("c.csv"), "code,name\nEUR,Euro\n");
        run(config(
                        "currencies: { file: \"" + file + "\", key: code }",
                        "{ table: currencies, key: currency1, add: { currency: name }, on-miss: reject }"))
                .run(context -> {
                    PipelineStatus status = done(context);
                    long euros = TradeFile.random(300, 5).stream()
                            .filter(trade -> trade.currency1() == 4)
                            .count();
                    assertThat(status.kept()).isEqualTo(euros);
                    assertThat(status.rejected()).isEqualTo(300 - euros);
                    assertThat(Rejects.of(context.getBean(Store.class), "trades-rejected"))
                            .anyMatch(reject -> reject.detail()
                                    .equals("Unknown key 'JPY' in table 'currencies'. Add a row with this key."));
                });
    }

    @Test
    void shouldReportWrongDefaultsAndKeys() throws IOException {
        Path file = Files.writeString(folder.resolve("desks.csv"), "id,name\n1,Paris\n");
        String tables = "desks: { file: \"" + file + "\", key: id }";
        run(config(tables, "{ table: desks, key: id, add: { desk: name }, defaults: { desk: x, des: y } }"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("'defaults' has no effect without 'on-miss: default'")
                        .hasMessageContaining("Field 'des' is not added by this step. Did you mean 'desk'?"));
        run(config(tables, "{ table: desks, key: id, add: { d: name }, on-miss: default, defaults: { d: Helsinki } }"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("Use at most 5 bytes, not 8."));
        run(config("desks: { file: \"" + file + "\", key: name }", "{ table: desks, key: id, add: { d: id } }"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("can't be used as a key among texts"));
    }

    private static List<Object> desks(ApplicationContext context) {
        return all(context).stream().map(record -> record.get("desk")).toList();
    }

    @Test
    void shouldSeeNewRowsFromTheNextBatchOn() throws IOException {
        Path file = Files.writeString(folder.resolve("desks.csv"), "id,name\n1,Paris\n");
        String config = config(
                        "desks: { file: \"" + file + "\", key: id, refresh: 20ms }",
                        "{ table: desks, key: id * 0 + 1, add: { desk: name } }")
                .replaceAll("feed: .*", "rejects: other");
        run(config).run(context -> {
            MessageChannel in = context.getBean("trades.in", MessageChannel.class);
            List<byte[]> trades =
                    TradeFile.random(1_000, 1).stream().map(Trade::bytes).toList();
            in.send(new GenericMessage<>(trades.getFirst()));
            await().until(() -> all(context).size() == 1);
            Files.writeString(file, "id,name\n1,Milan\n2,Rome\n");
            Table table = context.getBean(Tables.class).named("desks").orElseThrow();
            await().until(() -> table.status().loads() == 2);
            // A pipeline that waits for records already processes those that come by the rows that it had.
            AtomicInteger next = new AtomicInteger(1);
            await().until(() -> {
                in.send(new GenericMessage<>(trades.get(next.getAndIncrement())));
                return desks(context).contains("Milan");
            });
            in.send(new GenericMessage<>(trades.getLast()));
            await().until(() -> all(context).size() == next.get() + 1);
            List<Object> desks = desks(context);
            assertThat(desks.getFirst()).isEqualTo("Paris");
            assertThat(desks.subList(desks.indexOf("Milan"), desks.size())).containsOnly("Milan");
            Files.writeString(file, "id,name\n1,x\n1,y\n");
            await().until(() -> table.status().error() != null);
            assertThat(((ServedTable) table).served().rows()).isEqualTo(2);
        });
    }

    @Test
    void shouldFollowARegionThatAPipelineFills() throws IOException {
        run("""
                millrace:
                  tables:
                    last: { region: latest, key: id, schema: trade }
                  regions:
                    latest: { layout: entries, key: id, remove: currency1 == 'JPY' }
                    all: { layout: blocks }
                  pipelines:
                    fill:
                      schema: trade
                      steps:
                        - to: latest
                    trades:
                      schema: trade
                      steps:
                        - enrich: { table: last, key: id, add: { before: exchangeRate } }
                        - to: all
                """).run(context -> {
            MessageChannel fill = context.getBean("fill.in", MessageChannel.class);
            MessageChannel in = context.getBean("trades.in", MessageChannel.class);
            Table table = context.getBean(Tables.class).named("last").orElseThrow();
            fill.send(new GenericMessage<>(trade(1, 4, 1.5)));
            fill.send(new GenericMessage<>(trade(2, 4, 2.5)));
            await().until(() -> table.status().rows() == 2);
            fill.send(new GenericMessage<>(trade(1, 4, 3.5)));
            await().until(() -> table.status().loads() == 3);
            in.send(new GenericMessage<>(trade(1, 5, 0)));
            fill.send(new GenericMessage<>(trade(2, 6, 9)));
            await().until(() -> table.status().rows() == 1);
            in.send(new GenericMessage<>(trade(2, 5, 0)));
            await().until(() -> all(context).size() == 2);
            assertThat(all(context)).extracting(record -> record.get("before")).containsExactly(3.5, null);
        });
    }

    private static byte[] trade(long id, int currency, double rate) {
        return new Trade(id, 1, 0, currency, 1, rate, 1, 1, 1).bytes();
    }
}
