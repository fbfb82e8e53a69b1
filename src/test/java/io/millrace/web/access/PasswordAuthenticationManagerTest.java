package io.millrace.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestTimeout;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;

class PasswordAuthenticationManagerTest {

    private static final String PASSWORD = "a password of some length";

    @Test
    void shouldBoundTheChecksThatWait() throws InterruptedException {
        int attempts = 1_000;
        AtomicInteger wrong = new AtomicInteger();
        AtomicInteger busy = new AtomicInteger();
        CountDownLatch answered = new CountDownLatch(attempts);
        try (PasswordAuthenticationManager manager = new PasswordAuthenticationManager(
                List.of(new AccessUser("anna", Passwords.hash(PASSWORD), AccessRole.VIEWER)))) {
            for (int i = 0; i < attempts; i++) {
                manager.authenticate(new UsernamePasswordAuthenticationToken("anna", "wrong password " + i))
                        .subscribe(_ -> answered.countDown(), e -> {
                            if (e instanceof BadCredentialsException) {
                                wrong.incrementAndGet();
                            } else if (e instanceof BusySignInException) {
                                busy.incrementAndGet();
                            }
                            answered.countDown();
                        });
            }

            assertThat(answered.await(TestTimeout.MAX.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            // 66 at once; some checks end while the rest is submitted.
            assertThat(wrong.get()).isBetween(66, attempts - 1);
            assertThat(busy.get()).isEqualTo(attempts - wrong.get());
            assertThat(manager.authenticate(new UsernamePasswordAuthenticationToken("anna", PASSWORD))
                            .block())
                    .isNotNull();
        }
    }

    @Test
    void shouldReturn503WhenBusy() {
        MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/api/pipelines"));

        new AccessRefusals(true, true)
                .commence(exchange, new BusySignInException(new RuntimeException()))
                .block();

        assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
        assertThat(exchange.getResponse().getHeaders().getFirst(HttpHeaders.RETRY_AFTER))
                .isEqualTo("1");
        assertThat(exchange.getResponse().getBodyAsString().block()).contains("busy", BusySignInException.MESSAGE);
    }
}
