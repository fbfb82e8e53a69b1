package io.millrace.cli.service;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerConfiguration;
import org.springframework.boot.logging.LoggingSystem;

/**
 * Turns off all logging until it is closed, to keep the log of Geode and of Spring Integration out of a command's
 * output. Failures are exceptions.
 */
public final class QuietLogging implements AutoCloseable {

    private final LoggingSystem logging = LoggingSystem.get(QuietLogging.class.getClassLoader());
    private final @Nullable LogLevel before;

    public QuietLogging() {
        LoggerConfiguration root = logging.getLoggerConfiguration(LoggingSystem.ROOT_LOGGER_NAME);
        before = root == null ? null : root.getEffectiveLevel();
        logging.setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.OFF);
    }

    @Override
    public void close() {
        logging.setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, before == null ? LogLevel.INFO : before);
    }
}
