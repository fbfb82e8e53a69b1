package io.millrace.web;

import io.millrace.store.Store;
import io.millrace.store.error.StoreException;
import io.millrace.web.request.FrameworkErrors;
import java.io.IOException;
import java.lang.reflect.Proxy;
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
