package io.millrace.web.access;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Accepts each line of the {@link AuditLog} whatever the level of its logger is: neither a property nor the endpoint
 * {@code loggers} of the actuator switches it off.
 */
final class AuditLevel extends TurboFilter {

    /** Installs it in this process, once. Called after logging is configured, which removes filters. */
    static void install() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                && context.getTurboFilterList().stream().noneMatch(AuditLevel.class::isInstance)) {
            context.addTurboFilter(new AuditLevel());
        }
    }

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] arguments,
            @Nullable Throwable failure) {
        return logger.getName().equals(AuditLog.class.getName()) ? FilterReply.ACCEPT : FilterReply.NEUTRAL;
    }
}
