package io.millrace;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import io.millrace.background.OutOfMemory;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Ends the process, with exit code {@value #EXIT_CODE} and one line on the standard error stream, when the JVM is out
 * of memory. Any thread may have lost its work, so a supervisor has to restart the process. The exit code is that of
 * {@code -XX:+ExitOnOutOfMemoryError}, which the manifest of a jar can't set.
 *
 * <p>Detects the error where Millrace catches it, where a thread does not, and where a library logs it. Halts the JVM
 * without its shutdown hooks, which need memory.
 */
final class OutOfMemoryExit implements Consumer<OutOfMemoryError>, Thread.UncaughtExceptionHandler {

    static final int EXIT_CODE = 3;

    private static final byte[] LINE = ("Millrace ended with exit code " + EXIT_CODE + ": the JVM is out of memory."
                    + " Increase -Xmx, or store and query less at a time." + System.lineSeparator())
            .getBytes(StandardCharsets.UTF_8);

    private final FileOutputStream standardError = new FileOutputStream(FileDescriptor.err);
    private final AtomicBoolean ending = new AtomicBoolean();
    private final Thread.@Nullable UncaughtExceptionHandler next;

    private OutOfMemoryExit(Thread.@Nullable UncaughtExceptionHandler next) {
        this.next = next;
    }

    /** Installs it for this process. Called by the executable's main method only. */
    static void install() {
        OutOfMemoryExit exit = new OutOfMemoryExit(Thread.getDefaultUncaughtExceptionHandler());
        OutOfMemory.setHandler(exit);
        Thread.setDefaultUncaughtExceptionHandler(exit);
    }

    /** Detects errors that are logged. Called once logging is configured, which removes filters. */
    static void watchLog() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.addTurboFilter(new LoggedErrors());
        }
    }

    @Override
    public void accept(OutOfMemoryError error) {
        if (ending.compareAndSet(false, true)) {
            try {
                standardError.write(LINE);
            } catch (IOException e) {
                // The exit code reports it too.
            } finally {
                Runtime.getRuntime().halt(EXIT_CODE);
            }
        }
    }

    @Override
    public void uncaughtException(Thread thread, Throwable failure) {
        OutOfMemory.report(failure);
        if (next != null) {
            next.uncaughtException(thread, failure);
        } else {
            LoggerFactory.getLogger(OutOfMemoryExit.class).error("Thread {} ended", thread.getName(), failure);
        }
    }

    /** Reports errors that a library catches and logs. */
    private static final class LoggedErrors extends TurboFilter {

        @Override
        public FilterReply decide(
                @Nullable Marker marker,
                Logger logger,
                Level level,
                @Nullable String format,
                Object @Nullable [] parameters,
                @Nullable Throwable failure) {
            if (failure != null) {
                OutOfMemory.report(failure);
            } else if (parameters != null
                    && parameters.length > 0
                    && parameters[parameters.length - 1] instanceof Throwable last) {
                OutOfMemory.report(last);
            }
            return FilterReply.NEUTRAL;
        }
    }
}
