package io.millrace.web.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.Split;
import io.millrace.feed.generator.GeneratorFeed;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.pipeline.Conservation;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.Pipelines;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.integration.channel.AbstractMessageChannel;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;
import tools.jackson.databind.JsonNode;

/** Taps of running pipelines, and their feeds' speed, over a real socket. */
class TapApiTest {

    private static final int TRADES = 1000;
    private static final HexFormat HEX = HexFormat.of();
    /** The attribute Acct-Status-Type (RFC 2866, 5.1) of a request that ends a session. */
    private static final String STOP = "280600000002";

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ConfigurableApplicationContext context;

    @SuppressWarnings("NullAway.Init") // likewise
    private static PageClient client;

    @BeforeAll
    static void start() throws Exception {
        Path config = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  regions:
                    buys: { layout: blocks }
                    sells: { layout: blocks }
                    calls: { layout: blocks }
                    made: { layout: blocks }
                  pipelines:
                    trades:
                      schema: trade
                      steps:
                        - filter: amount1 > 1000000
                        - set: { notional: amount1 * exchangeRate }
                        - set: { half: notional / 2, rounded: amount1 }
                        - route:
                            - { when: buySell == 'Buy', to: buys }
                            - { otherwise: sells }
                    accounting:
                      schema: radius-accounting
                      steps:
                        - filter: status == 'Stop'
                        - set: { octets: inputOctets + outputOctets }
                        - to: calls
                    made:
                      feed: { generator: { rate: 1000 } }
                      schema: trade
                      steps:
                        - to: made
                """);
        context = SpringApplication.run(
                MillraceApplication.class,
                "--spring.config.additional-location=file:" + config,
                "--server.port=0",
                "--millrace.data=" + folder.resolve("data"));
        client = new PageClient(context);
    }

    @AfterAll
    static void end() {
        context.close();
    }

    private static Pipeline pipeline(String name) {
        return context.getBean(Pipelines.class).named(name).orElseThrow();
    }

    private static void send(String pipeline, byte[] payload) {
        context.getBean(pipeline + ".in", MessageChannel.class).send(new GenericMessage<>(payload));
    }

    private static byte[] trades() {
        Schema trade = Schemas.builtIn().get("trade");
        byte[] bytes = new byte[TRADES * trade.baseLength()];
        RecordGenerator.of(trade, 11).fill(bytes, 0, TRADES);
        return bytes;
    }

    /** Ten requests, and some more up to the first that ends a session. */
    private static List<byte[]> requests() {
        Schema accounting = Schemas.builtIn().get("radius-accounting");
        RecordBatch batch = new RecordBatch(accounting);
        List<byte[]> requests = new ArrayList<>();
        try (GeneratorFeed feed = new GeneratorFeed(accounting, 34, 100_000, 0, 1, Split.WHOLE)) {
            feed.open(0);
            while (feed.poll(batch, Duration.ZERO) == Poll.RECORDS) {
                byte[] request = Arrays.copyOfRange(batch.bytes(), batch.offset(0), batch.offset(0) + batch.length(0));
                boolean stop = HEX.formatHex(request).contains(STOP);
                if (requests.size() < 10 || stop) {
                    requests.add(request);
                }
                if (requests.size() >= 10 && stop) {
                    return requests;
                }
            }
        }
        throw new AssertionError("no session ends");
    }

    private static Map<String, byte[]> values(JsonNode bytes, JsonNode fields) {
        byte[] record = HEX.parseHex(bytes.asString());
        Map<String, byte[]> values = new HashMap<>();
        for (JsonNode field : fields) {
            int offset = field.get("offset").asInt();
            values.put(
                    field.get("name").asString(),
                    Arrays.copyOfRange(
                            record, offset, offset + field.get("length").asInt()));
        }
        return values;
    }

    private static long number(byte[] value) {
        byte[] word = new byte[Long.BYTES];
        System.arraycopy(value, 0, word, word.length - value.length, value.length);
        return ByteBuffer.wrap(word).getLong();
    }

    private static long number(Map<String, byte[]> values, String name) {
        return number(Objects.requireNonNull(values.get(name), name));
    }

    private static int interceptors(String channel) {
        return context.getBean(channel, AbstractMessageChannel.class)
                .getInterceptors()
                .size();
    }

    @Test
    void shouldReportThePointsOfAPipeline() throws Exception {
        assertThat(client.get("/api/pipelines/trades/taps").body())
                .isEqualTo(
                        "{\"points\":["
                                + "{\"name\":\"admitted\",\"kind\":\"admitted\",\"channel\":\"trades.admitted\",\"after\":null},"
                                + "{\"name\":\"1-filter\",\"kind\":\"filter\",\"channel\":\"trades.1-filter\",\"after\":\"admitted\"},"
                                + "{\"name\":\"2-set\",\"kind\":\"set\",\"channel\":\"trades.2-set\",\"after\":\"1-filter\"},"
                                + "{\"name\":\"3-set\",\"kind\":\"set\",\"channel\":\"trades.3-set\",\"after\":\"2-set\"},"
                                + "{\"name\":\"4-route\",\"kind\":\"route\",\"channel\":null,\"after\":\"3-set\"},"
                                + "{\"name\":\"to-buys\",\"kind\":\"region\",\"channel\":\"trades.to-buys\",\"after\":\"4-route\"},"
                                + "{\"name\":\"to-sells\",\"kind\":\"region\",\"channel\":\"trades.to-sells\",\"after\":\"4-route\"}]}");
    }

    @Test
    void shouldShowRecordsOfTheFixedLayoutBeforeAnyStep() throws Exception {
        try (EventReader tap = listen("/api/pipelines/trades/taps/admitted")) {
            send("trades", trades());
            JsonNode event = tap.next();
            assertThat(event.get("passed").asLong()).isEqualTo(TRADES);
            assertThat(event.get("added").isNull()).isTrue();
            JsonNode record = event.get("record");
            assertThat(record.propertyNames())
                    .containsExactly(
                            "id",
                            "tradeDate",
                            "buySell",
                            "currency1",
                            "amount1",
                            "exchangeRate",
                            "currency2",
                            "amount2",
                            "settlementDate");
            byte[] bytes = HEX.parseHex(event.get("bytes").asString());
            int id = record.get("id").asInt();
            assertThat(bytes).isEqualTo(Arrays.copyOfRange(trades(), (id - 1) * 39, id * 39));
            Map<String, byte[]> values = values(event.get("bytes"), event.get("fields"));
            assertThat(values).hasSize(9);
            assertThat(number(values, "id")).isEqualTo(id);
            assertThat(number(values, "amount1"))
                    .isEqualTo(record.get("amount1")
                            .decimalValue()
                            .movePointRight(2)
                            .longValueExact());
            assertThat(Double.longBitsToDouble(number(values, "exchangeRate")))
                    .isEqualTo(record.get("exchangeRate").asDouble());
            assertThat(values.get("buySell")).hasSize(1);
        }
    }

    @Test
    void shouldShowWhatStepsBeforeHaveAddedAndNoMore() throws Exception {
        try (EventReader first = listen("/api/pipelines/trades/taps/2-set");
                EventReader second = listen("/api/pipelines/trades/taps/3-set")) {
            send("trades", trades());
            JsonNode early = first.next();
            Map<String, byte[]> added =
                    values(early.get("added").get("bytes"), early.get("added").get("fields"));
            assertThat(added).containsOnlyKeys("notional");
            assertThat(Double.longBitsToDouble(number(added, "notional")))
                    .isEqualTo(early.get("record").get("notional").asDouble())
                    .isEqualTo(early.get("record").get("amount1").asDouble()
                            * early.get("record").get("exchangeRate").asDouble());
            assertThat(early.get("record").has("half")).isFalse();

            JsonNode late = second.next();
            added = values(late.get("added").get("bytes"), late.get("added").get("fields"));
            assertThat(added).containsOnlyKeys("notional", "half", "rounded");
            assertThat(Double.longBitsToDouble(number(added, "half")))
                    .isEqualTo(late.get("record").get("notional").asDouble() / 2);
            assertThat(late.get("record").get("rounded").decimalValue())
                    .isEqualTo(late.get("record").get("amount1").decimalValue());
        }
    }

    @Test
    void shouldShowOnlyRecordsThatGoOnFromThere() throws Exception {
        try (EventReader filtered = listen("/api/pipelines/trades/taps/1-filter");
                EventReader routed = listen("/api/pipelines/trades/taps/4-route");
                EventReader sells = listen("/api/pipelines/trades/taps/to-sells")) {
            for (int i = 0; i < 10; i++) {
                send("trades", trades());
                JsonNode passed = filtered.next();
                assertThat(passed.get("record").get("amount1").asDouble()).isGreaterThan(1_000_000);
                long alive = passed.get("passed").asLong();
                assertThat(alive).isBetween(1L, TRADES - 1L);
                JsonNode seller = sells.next();
                assertThat(seller.get("record").get("buySell").asString()).isEqualTo("Sell");
                long sold = seller.get("passed").asLong();
                assertThat(sold).isBetween(1L, alive - 1);
                // The records of the two branches pass one after the other, so an event may have those of one only.
                long passedOn = routed.next().get("passed").asLong();
                while (passedOn < alive) {
                    passedOn += routed.next().get("passed").asLong();
                }
                assertThat(passedOn).isEqualTo(alive);
            }
        }
    }

    @Test
    void shouldShowOnlyRecordsThatMeetTheCondition() throws Exception {
        String where = "?where=" + URLEncoder.encode("notional > 0 and id % 10 == 3", StandardCharsets.UTF_8);
        try (EventReader tap = listen("/api/pipelines/trades/taps/2-set" + where)) {
            for (int i = 0; i < 5; i++) {
                send("trades", trades());
                assertThat(tap.next().get("record").get("id").asLong() % 10).isEqualTo(3);
            }
        }
    }

    @Test
    void shouldRefuseConditionsOnFieldsThatDoNotExistAtThePoint() throws Exception {
        HttpResponse<String> refused = client.get("/api/pipelines/trades/taps/1-filter?where=notional%20%3E%200");

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("\"code\":\"bad-query\"", "notional");
    }

    @Test
    void shouldShowWhereTheFieldsOfATaggedRecordLie() throws Exception {
        List<byte[]> requests = requests();
        int checked = 0;
        try (EventReader admitted = listen("/api/pipelines/accounting/taps/admitted");
                EventReader stops = listen("/api/pipelines/accounting/taps/to-calls")) {
            for (byte[] request : requests.subList(0, 10)) {
                send("accounting", request);
                JsonNode event = admitted.next();
                assertThat(event.get("bytes").asString()).isEqualTo(HEX.formatHex(request));
                assertThat(event.get("added").isNull()).isTrue();
                checked += checkPlaces(event);
            }
            assertThat(checked).isGreaterThan(100);
            requests.forEach(request -> send("accounting", request));
            JsonNode stop = stops.next();
            assertThat(stop.get("record").get("status").asString()).isEqualTo("Stop");
            checkPlaces(stop);
            Map<String, byte[]> added =
                    values(stop.get("added").get("bytes"), stop.get("added").get("fields"));
            assertThat(added).containsOnlyKeys("octets");
            assertThat(number(added, "octets"))
                    .isEqualTo(stop.get("record").get("octets").asLong())
                    .isEqualTo(stop.get("record").get("inputOctets").asLong()
                            + stop.get("record").get("outputOctets").asLong());
        }
    }

    /** Holds whole numbers and texts of a tagged record against the bytes; returns how many. */
    private static int checkPlaces(JsonNode event) {
        Map<String, byte[]> values = values(event.get("bytes"), event.get("fields"));
        assertThat(values).containsKeys("sessionId", "status", "identifier", "nasIp");
        int checked = 0;
        for (Map.Entry<String, byte[]> value : values.entrySet()) {
            JsonNode shown = event.get("record").get(value.getKey());
            assertThat(shown.isNull()).as(value.getKey()).isFalse();
            if (shown.isIntegralNumber()
                    && !value.getKey().contains("eci")
                    && !value.getKey().contains("timezone")) {
                assertThat(number(value.getValue())).as(value.getKey()).isEqualTo(shown.asLong());
                checked++;
            } else if (shown.asString().length() == value.getValue().length
                    && shown.asString().equals(new String(value.getValue(), StandardCharsets.UTF_8))) {
                checked++;
            }
        }
        assertThat(new String(values.get("sessionId"), StandardCharsets.UTF_8))
                .isEqualTo(event.get("record").get("sessionId").asString());
        return checked;
    }

    @Test
    void shouldLeaveTheCountersAsTheyAre() throws Exception {
        Pipeline trades = pipeline("trades");
        PipelineStatus before = PipelineStatus.of(trades);
        send("trades", trades());
        PipelineStatus without = PipelineStatus.of(trades);
        try (EventReader tap = listen("/api/pipelines/trades/taps/1-filter")) {
            send("trades", trades());
            tap.next();
        }
        await().until(() -> PipelineStatus.of(trades).inFlight() == 0);
        PipelineStatus with = PipelineStatus.of(trades);
        assertThat(with.in() - without.in()).isEqualTo(without.in() - before.in());
        assertThat(with.dropped() - without.dropped()).isEqualTo(without.dropped() - before.dropped());
        assertThat(with.rejected()).isZero();
        assertThat(with.in()).isEqualTo(with.kept() + with.dropped());
        assertThat(Conservation.holds(trades)).isTrue();
    }

    /** The server may still count streams that the test before has closed. */
    private static EventReader listen(String path) {
        return await().ignoreException(AssertionError.class).until(() -> client.listen(path), _ -> true);
    }

    @Test
    void shouldListenOnlyWhileSomebodyDoes() throws Exception {
        int buys = interceptors("made.to-made");
        try (EventReader tap = listen("/api/pipelines/made/taps/to-made");
                EventReader route = listen("/api/pipelines/made/taps/1-to")) {
            assertThat(interceptors("made.to-made")).isEqualTo(buys + 2);
            tap.next();
            route.next();
        }
        await().until(() -> interceptors("made.to-made") == buys);
    }

    @Test
    void shouldStopListeningForAClientThatWentAwayWithoutAWord() throws Exception {
        int before = interceptors("accounting.2-set");
        listen("/api/pipelines/accounting/taps/2-set").close();
        await().until(() -> interceptors("accounting.2-set") == before);
    }

    @Test
    void shouldOpenSoManyTapsAndNoMore() throws Exception {
        List<EventReader> readers = new ArrayList<>();
        for (int i = 0; i < Taps.MAX_TAPS; i++) {
            readers.add(listen("/api/pipelines/made/taps/to-made"));
        }
        var refused = client.get("/api/pipelines/made/taps/to-made");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("\"code\":\"too-many-taps\"");
        assertThat(refused.headers().firstValue("Retry-After")).contains("1");
        for (EventReader reader : readers) {
            reader.close();
        }
        listen("/api/pipelines/made/taps/to-made").close();
    }

    @Test
    void shouldSayWhichPointsThereAre() throws Exception {
        var unknown = client.get("/api/pipelines/trades/taps/1-filtr");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).contains("\"code\":\"unknown-point\"", "Did you mean '1-filter'?");
        assertThat(client.get("/api/pipelines/trade/taps").body())
                .contains("\"code\":\"unknown-pipeline\"", "Did you mean 'trades'?");
    }
}
