package io.millrace.web;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.Store;
import io.millrace.store.error.StoreException;
import io.millrace.store.query.WholeRecords;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.web.request.FrameworkErrors;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.test.web.reactive.server.WebTestClient;

/** What a client gets when a store fails in a way that no store should. */
class RegionControllerTest {

    static Stream<Throwable> failures() {
        return Stream.of(
                new IllegalStateException("made up"),
                new AssertionError("made up"),
                new StackOverflowError("made up"),
                new OutOfMemoryError("made up"),
                new NoClassDefFoundError("made up"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void shouldAnswerWhateverTheStoreThrows(Throwable failure) {
        assertStatus(failure, 500);
    }

    /** The framework looks for a handler of the cause too, and one of I/O errors handles closed connections. */
    @Test
    void shouldReportAStoreWhoseConnectionIsLostAsUnavailable() {
        IOException lost = new IOException("Connection reset by peer");
        assertStatus(new StoreException("No server answers.", new IllegalStateException(lost)), 503);
    }

    /** The key is good: what is wrong is the stored record. */
    @Test
    void shouldReportARecordThatIsNotValidAsIncomplete() {
        Schema schema = SchemaReader.read("r.yml", """
                schema: r
                fields: [ { name: id, type: u8 }, { name: status, type: enum, values: [Off, On] } ]
                """.getBytes(StandardCharsets.UTF_8));
        RegionDefinition region = new RegionDefinition(
                "r", Layout.ENTRIES, 0, false, schema, List.of("id"), null, 64, BlockEncoding.ROWS);
        WholeRecords records = new WholeRecords(schema, FunctionRegistry.empty());
        Store store = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "definition" -> region;
                    case "record" -> records.decode(new byte[] {1, 7});
                    default -> List.of("r");
                });
        WebTestClient.bindToController(new RegionController(store, store))
                .controllerAdvice(new FrameworkErrors(), new ApiErrors())
                .build()
                .get()
                .uri("/api/regions/r/1")
                .exchange()
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("incomplete")
                .jsonPath("$.detail")
                .isEqualTo("Invalid value '7' of 'status'. No name of the dictionary has this code.");
    }

    private static void assertStatus(Throwable failure, int status) {
        Store store = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    throw failure;
                });
        WebTestClient.bindToController(new RegionController(store, store))
                .controllerAdvice(new FrameworkErrors(), new ApiErrors())
                .build()
                .get()
                .uri("/api/regions")
                .exchange()
                .expectStatus()
                .isEqualTo(status);
    }
}
