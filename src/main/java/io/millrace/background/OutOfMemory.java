package io.millrace.background;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where code that catches errors reports that the JVM has run out of memory. The executable installs a handler that
 * ends the process; an application that uses Millrace as a library has none unless it installs one itself.
 *
 * <p>Only exhaustion of heap and metaspace counts, which concerns every thread. Other conditions that Java reports by
 * the same error concern the caller alone: an array that is too long, a thread that the operating system refuses,
 * direct memory of a network buffer.
 *
 * <p>Thread-safe. Allocates nothing.
 */
public final class OutOfMemory {

    /** Bounds the walk along a chain of causes, which may be circular. */
    private static final int MAX_CAUSES = 32;

    private static volatile @Nullable Consumer<OutOfMemoryError> handler;

    private OutOfMemory() {}

    /** Installs the handler, or removes it with null. It must not need memory. */
    public static void setHandler(@Nullable Consumer<OutOfMemoryError> newHandler) {
        handler = newHandler;
    }

    /** Passes a failure to the handler if the JVM running out of memory caused it. */
    public static void report(@Nullable Throwable failure) {
        Consumer<OutOfMemoryError> current = handler;
        if (current == null) {
            return;
        }
        Throwable cause = failure;
        for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
            if (cause instanceof OutOfMemoryError error && exhausted(error)) {
                current.accept(error);
                return;
            }
            cause = cause.getCause();
        }
    }

    /** Whether heap or metaspace is exhausted, by the texts of HotSpot. */
    private static boolean exhausted(OutOfMemoryError error) {
        String message = error.getMessage();
        return message != null
                && (message.startsWith("Java heap space")
                        || message.startsWith("GC overhead limit exceeded")
                        || message.startsWith("Metaspace")
                        || message.startsWith("Compressed class space"));
    }
}
