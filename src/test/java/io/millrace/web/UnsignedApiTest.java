package io.millrace.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.application.MillraceApplication;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.Store;
import io.millrace.store.Writers;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.Memory;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.Retention;
import io.millrace.store.write.RegionWriter;
import java.math.BigInteger;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Unsigned numbers of 64 bits, which expressions read up to 2^63 - 1, in regions of each kind. */
class UnsignedApiTest {

    private static final JsonMapper JSON = new JsonMapper();
    private static final List<BigInteger> IDS = List.of(
            BigInteger.ONE,
            BigInteger.valueOf(Long.MAX_VALUE),
            BigInteger.TWO.pow(63),
            BigInteger.TWO.pow(64).subtract(BigInteger.ONE));

    private static final Schema SCHEMA = SchemaReader.read("wide.yml", """
            schema: wide
            fields:
              - { name: id, type: u64 }
              - { name: number, type: u32 }
            """.getBytes(StandardCharsets.UTF_8));

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext context;
    private static HttpClient http;

    @BeforeAll
    static void start() {
        context = new SpringApplicationBuilder(MillraceApplication.class)
                .run("--server.port=0", "--millrace.data=" + folder);
        http = HttpClient.newHttpClient();
        write("rows", Layout.BLOCKS, BlockEncoding.ROWS);
        write("columns", Layout.BLOCKS, BlockEncoding.COLUMNS);
        write("single", Layout.ENTRIES, BlockEncoding.ROWS);
    }

    @AfterAll
    static void stop() {
        http.close();
        context.close();
    }

    private static void write(String name, Layout layout, BlockEncoding encoding) {
        Store store = context.getBean(Store.class);
        store.open(new RegionDefinition(
                name,
                layout,
                0,
                false,
                SCHEMA,
                List.of("id"),
                null,
                IDS.size(),
                encoding,
                Retention.FOREVER,
                Memory.HEAP));
        RecordCodec codec = RecordCodec.of(SCHEMA);
        byte[] bytes = new byte[IDS.size() * SCHEMA.recordLength()];
        for (int i = 0; i < IDS.size(); i++) {
            codec.codec("id").setValue(bytes, i * SCHEMA.recordLength(), IDS.get(i));
            codec.codec("number").setValue(bytes, i * SCHEMA.recordLength(), (long) i);
        }
        RegionWriter writer = Writers.open(store, name, name, 0, SCHEMA, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
        writer.append(new RecordBatch(SCHEMA).fill(bytes, 0, IDS.size(), 0, bytes.length));
        writer.flush();
    }

    private static HttpResponse<String> get(String path) throws Exception {
        URI uri = URI.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port")
                + "/api/regions/" + path);
        return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private static JsonNode json(String path) throws Exception {
        HttpResponse<String> response = get(path);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rows", "columns", "single"})
    void shouldWriteEachNumberInBothFormats(String region) throws Exception {
        for (String query :
                List.of("/records?orderBy=number&limit=10", "/records?select=id,number&orderBy=number&limit=10")) {
            JsonNode answer = json(region + query);
            assertThat(answer.at("/records")
                            .valueStream()
                            .map(row -> row.at("/id").bigIntegerValue()))
                    .containsExactlyElementsOf(IDS);
            assertThat(answer.at("/failed").longValue()).isZero();

            List<String> lines = new ArrayList<>(List.of("id,number"));
            IDS.forEach(id -> lines.add(id + "," + (lines.size() - 1)));
            assertThat(get(region + query + "&format=csv").body().lines()).containsExactlyElementsOf(lines);
        }
        assertThat(json(region + "/aggregate?by=id&values=" + encoded("count()"))
                        .at("/groups")
                        .valueStream()
                        .map(row -> row.at("/id").bigIntegerValue()))
                .containsExactlyElementsOf(IDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rows", "columns", "single"})
    void shouldFindTheRecordOfEachKey(String region) throws Exception {
        for (BigInteger id : IDS) {
            assertThat(json(region + "/" + id).at("/id").bigIntegerValue()).isEqualTo(id);
        }
    }

    /** Arithmetic has signed numbers of 64 bits. */
    @ParameterizedTest
    @ValueSource(strings = {"rows", "columns", "single"})
    void shouldLeaveOutNoRecordInSilence(String region) throws Exception {
        for (String query : List.of(
                "/records?limit=10&where=" + encoded("id - 1 > 0"),
                "/records?limit=10&orderBy=" + encoded("id - 1"),
                "/aggregate?values=" + encoded("sum(id)"))) {
            for (String format : List.of("json", "csv")) {
                HttpResponse<String> refused = get(region + query + "&format=" + format);
                assertThat(refused.statusCode()).as(query).isEqualTo(422);
                JsonNode problem = JSON.readTree(refused.body());
                assertThat(problem.at("/code").stringValue()).isEqualTo("incomplete");
                assertThat(problem.at("/failed").longValue()).isEqualTo(2);
                assertThat(problem.at("/detail").stringValue())
                        .contains("has no result for 2 records", "is too large, past 2^63 - 1", "onError=skip");
            }

            JsonNode answer = json(region + query + "&onError=skip");
            assertThat(answer.at("/failed").longValue()).as(query).isEqualTo(2);
            assertThat(answer.at("/firstFailure").stringValue()).contains("is too large, past 2^63 - 1");
            HttpResponse<String> csv = get(region + query + "&onError=skip&format=csv");
            assertThat(csv.statusCode()).as(query).isEqualTo(200);
            assertThat(csv.headers().firstValue("Millrace-Failed")).contains("2");
        }
        HttpResponse<String> wrong = get(region + "/records?onError=ignore");
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("Invalid onError 'ignore'. Use one of: fail, skip.");
    }
}
