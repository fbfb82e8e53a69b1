package io.millrace.application;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class EscapedLogTest {

    private static final String FORGED = "2026-11-27T12:00:00Z  INFO changed: user=admin";

    private static List<String> logged(String pattern, Consumer<Logger> log) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        Logger logger = context.getLogger(EscapedLogTest.class);
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(pattern);
        encoder.start();
        OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.setOutputStream(lines);
        appender.start();
        AsyncAppender outer = new AsyncAppender();
        outer.setContext(context);
        outer.addAppender(appender);
        outer.start();
        logger.addAppender(outer);
        logger.setAdditive(false);
        try {
            EscapedLog.install();
            log.accept(logger);
        } finally {
            outer.stop(); // waits until all is written
            logger.detachAppender(outer);
            logger.setAdditive(true);
        }
        return lines.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"%m%n", "%d %msg%n", "%-5p [%t] %message%n%wEx"})
    void shouldWriteNoLineThatAMessageForges(String pattern) {
        assertThat(logged(pattern, log -> log.warn("Rejected: {}", "x\n" + FORGED + "\r" + FORGED)))
                .hasSize(2)
                .noneMatch(line -> line.startsWith(FORGED))
                .last()
                .asString()
                .isEqualTo("    " + FORGED + "\\r" + FORGED);
    }

    @Test
    void shouldWriteNoControlSequence() {
        assertThat(logged("%m%n", log -> log.warn("Host '{}'", "a\u001b[2Jb\u009b1mc\u202ed")))
                .containsExactly("Host 'a\\u001b[2Jb\\u009b1mc\\u202ed'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%m%n%ex", "%m%n%xEx", "%m%n%wex", "%m%n%wEx"})
    void shouldEscapeMessagesOfExceptionsAndOfTheirCauses(String pattern) {
        Exception cause = new IllegalStateException("cause\n" + FORGED);
        Exception failure = new IllegalArgumentException("failure\u001b[2J\n" + FORGED, cause);
        failure.addSuppressed(new IllegalStateException("suppressed\n" + FORGED));
        List<String> lines = logged(pattern, log -> log.warn("It failed", failure));
        assertThat(lines).contains("java.lang.IllegalArgumentException: failure\\u001b[2J");
        assertThat(lines.stream().filter(line -> line.strip().equals(FORGED))).hasSize(3);
        assertThat(lines).noneMatch(line -> line.startsWith(FORGED));
        assertThat(lines).anyMatch(line -> line.startsWith("\tat "));
    }

    @Test
    void shouldLeaveLinesThatAreIndentedAsTheyAre() {
        assertThat(logged("%m%n", log -> log.warn("Unknown field\n    a > 1\n    ^")))
                .containsExactly("Unknown field", "    a > 1", "    ^");
    }
}
