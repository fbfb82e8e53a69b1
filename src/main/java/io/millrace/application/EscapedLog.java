package io.millrace.application;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.pattern.ExtendedThrowableProxyConverter;
import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.pattern.DynamicConverter;
import ch.qos.logback.core.spi.AppenderAttachable;
import io.millrace.codec.ControlCharacters;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;
import org.springframework.boot.logging.logback.ExtendedWhitespaceThrowableProxyConverter;
import org.springframework.boot.logging.logback.WhitespaceThrowableProxyConverter;

/**
 * Escapes the control characters of messages and exceptions in the lines of a log, whatever its pattern: texts from
 * outside could forge lines or control a terminal. A message may have several lines; its further ones are indented, so
 * none of them looks like a line of the log. Structured logs (JSON) escape them anyway.
 */
public final class EscapedLog {

    /** Conversion words of Logback and of Spring Boot. */
    @SuppressWarnings("rawtypes") // as Logback's own map
    private static final Map<String, Supplier<DynamicConverter>> CONVERTERS = Map.ofEntries(
            Map.entry("m", Message::new),
            Map.entry("msg", Message::new),
            Map.entry("message", Message::new),
            Map.entry("ex", StackTrace::new),
            Map.entry("exception", StackTrace::new),
            Map.entry("throwable", StackTrace::new),
            Map.entry("xEx", ExtendedStackTrace::new),
            Map.entry("xException", ExtendedStackTrace::new),
            Map.entry("xThrowable", ExtendedStackTrace::new),
            Map.entry("wex", SpacedStackTrace::new),
            Map.entry("wEx", SpacedExtendedStackTrace::new));

    private EscapedLog() {}

    /** Installs it in all logs of the process that are configured so far. */
    public static void install() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            for (Logger logger : context.getLoggerList()) {
                logger.iteratorForAppenders().forEachRemaining(EscapedLog::install);
            }
        }
    }

    private static void install(Appender<ILoggingEvent> appender) {
        if (appender instanceof OutputStreamAppender<ILoggingEvent> stream
                && stream.getEncoder() instanceof PatternLayoutEncoder encoder
                && encoder.getLayout() instanceof PatternLayout layout) {
            layout.getInstanceConverterMap().putAll(CONVERTERS);
            layout.start(); // compiles its pattern again
        }
        if (appender instanceof AppenderAttachable<?> outer) {
            @SuppressWarnings("unchecked") // of an appender of events
            Iterator<Appender<ILoggingEvent>> inner =
                    ((AppenderAttachable<ILoggingEvent>) outer).iteratorForAppenders();
            inner.forEachRemaining(EscapedLog::install);
        }
    }

    private static final class Message extends MessageConverter {
        @Override
        public String convert(ILoggingEvent event) {
            return ControlCharacters.indented(super.convert(event));
        }
    }

    private static final class StackTrace extends ThrowableProxyConverter {
        @Override
        protected String throwableProxyToString(IThrowableProxy failure) {
            return super.throwableProxyToString(new EscapedThrowable(failure));
        }
    }

    private static final class ExtendedStackTrace extends ExtendedThrowableProxyConverter {
        @Override
        protected String throwableProxyToString(IThrowableProxy failure) {
            return super.throwableProxyToString(new EscapedThrowable(failure));
        }
    }

    private static final class SpacedStackTrace extends WhitespaceThrowableProxyConverter {
        @Override
        protected String throwableProxyToString(IThrowableProxy failure) {
            return super.throwableProxyToString(new EscapedThrowable(failure));
        }
    }

    private static final class SpacedExtendedStackTrace extends ExtendedWhitespaceThrowableProxyConverter {
        @Override
        protected String throwableProxyToString(IThrowableProxy failure) {
            return super.throwableProxyToString(new EscapedThrowable(failure));
        }
    }
}
