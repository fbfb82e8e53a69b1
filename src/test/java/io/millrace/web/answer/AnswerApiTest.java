package io.millrace.web.answer;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.millrace.TestTimeout;
import io.millrace.application.MillraceApplication;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.expression.function.ExpressionFunction;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.Store;
import io.millrace.store.Writers;
import io.millrace.store.query.Answer;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.RegionWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.cache.Region;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Answers over a real socket: as they are found, no faster than they are read, and never less than they look. */
class AnswerApiTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final int TRADES = 1_000_000;
    /** Several stretches. */
    private static final int MANY = 300_000;

    private static final int FEW = 60_000;
    private static final ConcurrentLinkedDeque<Answer<?>> ANSWERS = new ConcurrentLinkedDeque<>();

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext context;
    private static HttpClient http;

    /** A function that takes a millisecond, and counts. */
    public static final class Slow {

        static final AtomicLong CALLS = new AtomicLong();
        static final AtomicLong INTERRUPTS = new AtomicLong();

        private Slow() {}

        public static long slow(long id) {
            CALLS.incrementAndGet();
            LockSupport.parkNanos(1_000_000);
            if (Thread.currentThread().isInterrupted()) {
                INTERRUPTS.incrementAndGet();
            }
            return id;
        }
    }

    /** Lets the tests see what is looked for. */
    @Configuration
    static class Watching {

        @Bean
        ExpressionFunction slowFunction() {
            return ExpressionFunction.ofStatic("slow", Slow.class, "slow");
        }

        @Bean
        static BeanPostProcessor watchedStore() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof Store store ? watched(store) : bean;
                }
            };
        }

        private static Object watched(Store store) {
            return Proxy.newProxyInstance(
                    Store.class.getClassLoader(), new Class<?>[] {Store.class}, (_, method, arguments) -> {
                        try {
                            Object result = method.invoke(store, arguments);
                            if (result instanceof Answer<?> answer) {
                                ANSWERS.addFirst(answer);
                            }
                            return result;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }

    @BeforeAll
    static void start() throws Exception {
        context = new SpringApplicationBuilder(MillraceApplication.class, Watching.class)
                .run(
                        "--server.port=0",
                        "--millrace.data=" + folder,
                        "--millrace.query.max-records=" + TRADES,
                        "--millrace.query.max-timeout=2m");
        http = HttpClient.newHttpClient();
        write("trades", 4096, TRADES);
        write("damaged", 1024, MANY);
        write("small", 16, FEW);
        damage("damaged");
        writeMixed();
    }

    @AfterAll
    static void stop() {
        http.close();
        context.close();
    }

    private static RegionWriter writer(String name, Schema schema, int blockRecords) {
        Store store = context.getBean(Store.class);
        store.open(new RegionDefinition(name, Layout.BLOCKS, 0, false, schema, List.of(), blockRecords));
        return Writers.open(store, name, name, 0, schema, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
    }

    /** Trades with the ids from 1 on. */
    private static void write(String name, int blockRecords, int count) {
        RegionWriter writer = writer(name, TRADE, blockRecords);
        RecordGenerator generator = RecordGenerator.of(TRADE, 7);
        int length = TRADE.recordLength();
        int step = 20_000;
        byte[] bytes = new byte[step * length];
        for (long from = 0; from < count; from += step) {
            generator.fill(bytes, 0, step);
            writer.append(new RecordBatch(TRADE).fill(bytes, 0, step, from * length, (from + step) * length));
        }
        writer.flush();
    }

    /** Of the region's blocks the last one. */
    private static void damage(String name) {
        Region<Long, byte[]> region = CacheFactory.getAnyInstance().getRegion(name);
        long last = new ArrayList<>(region.keySet())
                .stream().mapToLong(key -> key).max().orElseThrow();
        byte[] block = Objects.requireNonNull(region.get(last)).clone();
        block[block.length - 1] ^= 1;
        region.put(last, block);
    }

    /** A value of each type as it is, as it is hard to write, and absent. */
    private static void writeMixed() {
        Schema schema = SchemaReader.read("mixed.yml", """
                schema: mixed
                fields:
                  - { name: id, type: u32 }
                  - { name: text, type: string, length: 24, charset: utf8 }
                  - { name: note, type: string, length: 8, optional: true }
                  - { name: price, type: decimal, scale: 4 }
                  - { name: discount, type: decimal, scale: 2, optional: true }
                  - { name: ratio, type: f64 }
                  - { name: day, type: date }
                  - { name: at, type: instant, unit: s }
                  - { name: open, type: boolean }
                  - { name: side, type: enum, values: [Buy, Sell] }
                  - { name: raw, type: bytes, length: 3 }
                """.getBytes(StandardCharsets.UTF_8));
        RecordCodec codec = RecordCodec.of(schema);
        List<String> texts =
                List.of("plain", "a,b", "say \"no\"", "two\r\nlines", "\u20AC;=1+1", "", " blank", "line\n");
        byte[] bytes = new byte[texts.size() * schema.recordLength()];
        for (int i = 0; i < texts.size(); i++) {
            int at = i * schema.recordLength();
            codec.codec("id").setValue(bytes, at, (long) i);
            codec.codec("text").setValue(bytes, at, texts.get(i));
            codec.codec("note").setValue(bytes, at, i % 2 == 0 ? null : "n" + i);
            codec.codec("price").setValue(bytes, at, BigDecimal.valueOf(i * 1_000_000L, 4));
            codec.codec("discount").setValue(bytes, at, i % 3 == 0 ? null : BigDecimal.valueOf(-i, 2));
            codec.codec("ratio").setValue(bytes, at, i * 1e10 / 3);
            codec.codec("day").setValue(bytes, at, LocalDate.of(2015, 1, 1 + i));
            codec.codec("at").setValue(bytes, at, Instant.ofEpochSecond(1_600_000_000L + i));
            codec.codec("open").setValue(bytes, at, i % 2 == 0);
            codec.codec("side").setValue(bytes, at, i % 2 == 0 ? "Buy" : "Sell");
            codec.codec("raw").setValue(bytes, at, new byte[] {(byte) i, -1, 0});
        }
        RegionWriter writer = writer("mixed", schema, 100);
        writer.append(new RecordBatch(schema).fill(bytes, 0, texts.size(), 0, bytes.length));
        writer.flush();
    }

    @Test
    void shouldStreamAllRecordsAsCsv() throws Exception {
        HttpResponse<InputStream> response =
                http.send(request("trades/records?format=csv&select=id"), BodyHandlers.ofInputStream());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type")).contains("text/csv;charset=UTF-8");
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isEqualTo("id");
            long sum = lines.lines().mapToLong(Long::parseLong).sum();
            assertThat(sum).isEqualTo(TRADES * (TRADES + 1L) / 2);
        }
    }

    @Test
    void shouldEndAnAnswerInJsonWithWhatWasScanned() throws Exception {
        JsonNode answer = json("trades/records?select=id&limit=" + FEW);

        assertThat(answer.propertyNames())
                .containsExactly(
                        "records", "scanned", "scannedBlocks", "skippedBlocks", "failed", "firstFailure", "nanos");
        assertThat(answer.at("/records").valueStream().map(row -> row.at("/id").longValue()))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, FEW).boxed().toList());
        assertThat(answer.at("/scanned").longValue()).isBetween((long) FEW, TRADES / 2L);
    }

    @Test
    void shouldWriteTheSameInCsvAsInJson() throws Exception {
        for (String asked : List.of(
                "mixed/records?orderBy=id&limit=100",
                "mixed/records?select=text,id,price&where=" + encoded("price >= 100.00"),
                "mixed/records?where=" + encoded("id > 100"),
                "mixed/aggregate?by=side,day&values=" + encoded("count(),sum(price),avg(ratio)"))) {
            JsonNode answer = json(asked);
            JsonNode rows = answer.get(asked.contains("records") ? "records" : "groups");
            List<List<String>> csv = csv(body(asked + "&format=csv"));
            for (int i = 0; i < rows.size(); i++) {
                assertThat(csv.getFirst()).isEqualTo(List.copyOf(rows.get(i).propertyNames()));
                assertThat(csv.get(i + 1)).zipSatisfy(rows.get(i).valueStream().toList(), AnswerApiTest::assertSame);
            }
            assertThat(csv).hasSize(rows.size() + 1);
        }
        assertThat(body("mixed/records?format=csv&select=id,note,text&where=" + encoded("id < 7 and id > 4")))
                .isEqualTo("id,note,text\r\n5,n5,\"\"\r\n6,, blank\r\n");
        assertThat(body("mixed/records?format=csv&select=price,day,at&limit=1"))
                .isEqualTo("price,day,at\r\n0.0000,2015-01-01,2020-09-13T12:26:40Z\r\n");
    }

    private static void assertSame(String cell, JsonNode value) {
        if (value.isNumber()) {
            assertThat(new BigDecimal(cell)).isEqualTo(value.decimalValue());
        } else {
            assertThat(cell).isEqualTo(value.isNull() ? "" : value.asString());
        }
    }

    private static List<List<String>> csv(String text) {
        try (CsvReader<CsvRecord> reader = CsvReader.builder().ofCsvRecord(text)) {
            return reader.stream().map(CsvRecord::getFields).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldChooseTheFormatThatTheClientTakes() throws Exception {
        for (List<String> accepted : List.of(
                List.of("text/csv", "text/csv;charset=UTF-8"),
                List.of("text/csv;q=0.5, application/json", "application/json"),
                List.of("text/*, application/json;q=0.9", "text/csv;charset=UTF-8"),
                List.of("*/*", "application/json"))) {
            HttpRequest request = HttpRequest.newBuilder(uri("mixed/records?limit=1"))
                    .header("Accept", accepted.getFirst())
                    .build();
            assertThat(http.send(request, BodyHandlers.ofString()).headers().firstValue("content-type"))
                    .as(accepted.getFirst())
                    .contains(accepted.getLast());
        }
        HttpRequest image = HttpRequest.newBuilder(uri("mixed/records?limit=1"))
                .header("Accept", "image/png")
                .build();
        assertThat(http.send(image, BodyHandlers.ofString()).statusCode()).isEqualTo(406);
    }

    @Test
    void shouldReportInDetailWhatIsWrongBeforeAnythingIsWritten() throws Exception {
        problem("mixed/records?format=xml", 400, "Invalid format 'xml'. Use one of: json, csv, spreadsheet.");
        problem("mixed/records?format=csv&where=" + encoded("colour == 'red'"), 400, "MR1002");
        problem("mixed/records?format=csv&orderBy=id", 400, "Missing limit.");
        problem("mixed/records?format=csv&orderBy=id&limit=" + (TRADES + 1), 400, "Use 1 to ");
        problem("mixed/records?limit=" + (TRADES + 1), 400, "Use 1 to " + TRADES);
        problem("mixed/records?limit=some", 400, "Invalid limit 'some'. Use a whole number.");
        problem("mixed/records?timeout=soon", 400, "Invalid duration 'soon' for 'timeout'.");
        problem("mixed/records?timeout=0s", 400, "Invalid timeout '0s'. Use a duration above 0 and up to 2m.");
        problem("mixed/records?timeout=121s", 400, "Invalid timeout '121s'. Use a duration above 0 and up to 2m.");
        problem(
                "mixed/records?timeout=10",
                400,
                "Invalid duration '10' for 'timeout'. Use a number and a unit, such as 10s.");
        problem("damaged/records?orderBy=id", 503, "Invalid checksum of the block: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"format=csv", "limit=" + MANY})
    void shouldBreakTheConnectionWhereSomethingGoesWrongLater(String asked) throws Exception {
        HttpResponse<InputStream> response =
                http.send(request("damaged/records?" + asked), BodyHandlers.ofInputStream());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> response.body().readAllBytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"records?limit=1", "records?orderBy=id", "records?format=csv", "aggregate?values=count()"})
    void shouldGiveUpWhenTheTimeIsOver(String asked) throws Exception {
        String query = "small/" + asked + "&timeout=3s&where=" + encoded("#slow(id) < 0");
        HttpResponse<String> response = get(query);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(504);
        JsonNode problem = JSON.readTree(response.body());
        assertThat(problem.at("/code").stringValue()).isEqualTo("timeout");
        assertThat(problem.at("/timeout").stringValue()).isEqualTo("PT3S");
        assertThat(problem.at("/scanned").longValue()).isBetween(16L, FEW - 1L);
        assertThat(problem.at("/scannedBlocks").longValue())
                .isEqualTo(problem.at("/scanned").longValue() / 16);
        untilNobodyCalls();
    }

    @ParameterizedTest
    @ValueSource(strings = {"records?limit=1", "records?orderBy=id", "records?format=csv", "aggregate?values=count()"})
    void shouldStopLookingWhenTheClientHasGone(String asked) throws Exception {
        long before = Slow.CALLS.get();
        try (Socket socket = connect()) {
            send(socket, "small/" + asked + "&where=" + encoded("#slow(id) < 0"));
            await().until(() -> Slow.CALLS.get() > before + 20);
        }
        untilNobodyCalls();
        assertThat(Slow.CALLS.get()).isLessThan(before + FEW);
        assertThat(Slow.INTERRUPTS).hasValue(0);
    }

    private static void untilNobodyCalls() {
        AtomicLong last = new AtomicLong(-1);
        await().pollInterval(300, MILLISECONDS).until(() -> last.getAndSet(Slow.CALLS.get()) == Slow.CALLS.get());
    }

    @Test
    void shouldScanNoFasterThanTheClientReads() throws Exception {
        try (Socket socket = connect()) {
            send(socket, "trades/records?format=csv");
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 1024);
            assertThat(lines.readLine()).isEqualTo("HTTP/1.1 200 OK");
            Answer<?> answer = ANSWERS.getFirst();
            AtomicLong last = new AtomicLong(-1);
            await().pollInterval(1, SECONDS)
                    .until(() -> last.getAndSet(answer.counts().scanned())
                            == answer.counts().scanned());
            // What is on its way: two stretches of 4 MB, and 128 chunks and the socket's buffers, of CSV.
            assertThat(last.get()).isBetween(1L, TRADES / 2L);

            assertThat(lines.lines().count()).isGreaterThan(TRADES);
            assertThat(answer.counts().scanned()).isEqualTo(TRADES);
        }
    }

    /** Takes little at a time, so that what is not read stays with the server. */
    private static Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(8 << 10);
        socket.setSoTimeout((int) TestTimeout.MAX.toMillis());
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()));
        return socket;
    }

    private static void send(Socket socket, String asked) throws IOException {
        String request = "GET /api/regions/" + asked + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }

    private static void problem(String asked, int status, String text) throws Exception {
        HttpResponse<String> response = get(asked);
        assertThat(response.statusCode()).as(asked).isEqualTo(status);
        assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
        assertThat(response.body()).contains(text);
    }

    private static JsonNode json(String asked) throws Exception {
        return JSON.readTree(body(asked));
    }

    private static String body(String asked) throws Exception {
        HttpResponse<String> response = get(asked);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }

    private static HttpResponse<String> get(String asked) throws Exception {
        return http.send(request(asked), BodyHandlers.ofString());
    }

    private static HttpRequest request(String asked) {
        return HttpRequest.newBuilder(uri(asked)).build();
    }

    private static URI uri(String asked) {
        return URI.create("http://127.0.0.1:" + port() + "/api/regions/" + asked);
    }

    private static int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
