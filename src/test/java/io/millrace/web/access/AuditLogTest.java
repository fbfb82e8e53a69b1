package io.millrace.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

class AuditLogTest {

    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(AuditLog.class);

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 500);
    private final AuditLog log = new AuditLog(clock::get);

    @BeforeEach
    void listen() {
        lines.start();
        LOGGER.setLevel(Level.INFO);
        LOGGER.addAppender(lines);
    }

    @AfterEach
    void detach() {
        LOGGER.detachAppender(lines);
        LOGGER.setLevel(null);
    }

    private void request(HttpStatus status, WebFilterChain user) {
        MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.put("/api/x"));
        exchange.getResponse().setStatusCode(status);
        log.filter(exchange, user).block();
    }

    private void unknown(int count) {
        for (int i = 0; i < count; i++) {
            request(HttpStatus.UNAUTHORIZED, _ -> Mono.empty());
        }
    }

    @Test
    void shouldLimitLinesWithoutAUserAndCountTheRest() {
        unknown(132);
        assertThat(lines.list).hasSize(20);

        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        unknown(2);

        assertThat(lines.list)
                .hasSize(22)
                .extracting(ILoggingEvent::getFormattedMessage)
                .endsWith(
                        "refused: user=- method=PUT path=/api/x status=401 from=- leftOut=112",
                        "refused: user=- method=PUT path=/api/x status=401 from=-");
    }

    @Test
    void shouldLogAllLinesOfUsers() {
        unknown(30);
        for (int i = 0; i < 50; i++) {
            request(HttpStatus.OK, exchange -> {
                AuditLog.noteUser(exchange, "anna");
                return Mono.empty();
            });
        }

        assertThat(lines.list)
                .hasSize(70)
                .last()
                .extracting(ILoggingEvent::getFormattedMessage)
                .isEqualTo("changed: user=anna method=PUT path=/api/x status=200 from=-");
    }

    @Test
    void shouldKeepWhatASenderChoosesToOneLineOfBoundedLength() {
        MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.put("/" + "x".repeat(1000)));
        AuditLog.noteUser(exchange, "anna\nchanged: user=root " + "y".repeat(1000));
        log.filter(exchange, _ -> Mono.empty()).block();

        assertThat(lines.list)
                .singleElement()
                .satisfies(line -> assertThat(line.getFormattedMessage())
                        .doesNotContain("\n")
                        .startsWith("changed: user=anna?changed:?user?root?")
                        .hasSizeLessThan(400));
    }
}
