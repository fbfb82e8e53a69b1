package io.millrace.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestTimeout;
import io.millrace.web.request.RequestSender;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    /** The time of a check doubles with each step of the cost. */
    @ParameterizedTest
    @CsvSource({"10, 10", "10, 12", "11, 12", "12, 12", "10, 14"})
    void shouldTakeTheSameTimeForEachUserAndForUnknownOnes(int cost, int highest) {
        String hash = "$2a$" + cost + "$" + ".".repeat(53);
        long known = (1L << cost)
                + PasswordAuthenticationManager.remainingCosts(hash, highest)
                        .mapToLong(c -> 1L << c)
                        .sum();
        long unknown = PasswordAuthenticationManager.remainingCosts(null, highest)
                .mapToLong(c -> 1L << c)
                .sum();
        assertThat(known).isEqualTo(unknown).isEqualTo(1L << highest);
    }

    @Test
    void shouldLetOthersSignInWhileANetworkSendsWrongPasswords() {
        try (PasswordAuthenticationManager manager = new PasswordAuthenticationManager(
                List.of(new AccessUser("anna", Passwords.hash(PASSWORD), AccessRole.VIEWER)))) {
            AtomicBoolean signedIn = new AtomicBoolean();
            AtomicInteger wrongBefore = new AtomicInteger();
            for (int i = 0; i < 1_000; i++) {
                manager.authenticate(new UsernamePasswordAuthenticationToken("anna", "wrong password " + i))
                        .contextWrite(context -> context.put(RequestSender.NETWORK, "192.0.2.9"))
                        .subscribe(_ -> {}, e -> {
                            if (e instanceof BadCredentialsException && !signedIn.get()) {
                                wrongBefore.incrementAndGet();
                            }
                        });
            }
            int checkedAlready = wrongBefore.get();
            assertThat(manager.authenticate(new UsernamePasswordAuthenticationToken("anna", PASSWORD))
                            .contextWrite(context -> context.put(RequestSender.NETWORK, "192.0.2.7"))
                            .doOnNext(_ -> signedIn.set(true))
                            .block())
                    .isNotNull();
            // The two that run, the one whose turn it is, and those that end while the sign-in is checked.
            assertThat(wrongBefore.get() - checkedAlready).isLessThan(20);
        }
    }

    @Test
    void shouldReturn503WhenBusy() {
        MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/api/pipelines"));

        new AccessRefusals(true, true)
                .commence(exchange, new BusySignInException())
                .block();

        assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
        assertThat(exchange.getResponse().getHeaders().getFirst(HttpHeaders.RETRY_AFTER))
                .isEqualTo("1");
        assertThat(exchange.getResponse().getBodyAsString().block()).contains("busy", BusySignInException.MESSAGE);
    }
}
