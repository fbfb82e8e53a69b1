package io.millrace.background;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives reports from code that catches errors when the JVM runs out of memory. The executable installs a handler
 * that ends the process; an application that uses Millrace as a library has none unless it installs one itself.
 *
 * <p>Only exhaustion of heap or metaspace counts, because it affects every thread. Other conditions for which Java
 * throws the same error affect only the caller: an array that is too long, a thread that the operating system refuses,
 * direct memory of a network buffer.
 *
 * <p>Thread-safe. Allocates nothing.
 */
public final class OutOfMemory {

    /** Limits the length of a chain of causes, which may be circular. */
    private static final int MAX_CAUSES = 32;

    private static volatile @Nullable Consumer<OutOfMemoryError> handler;

    private OutOfMemory() {}

    /** Installs the handler, or removes it if the argument is null. The handler must not allocate. */
    public static void setHandler(@Nullable Consumer<OutOfMemoryError> newHandler) {
        handler = newHandler;
    }

    /** Passes a failure to the handler if an exhausted JVM caused it. */
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

    /** Returns whether heap or metaspace is exhausted, by the messages of HotSpot. */
    private static boolean exhausted(OutOfMemoryError error) {
        String message = error.getMessage();
        return message != null
                && (message.startsWith("Java heap space")
                        || message.startsWith("GC overhead limit exceeded")
                        || message.startsWith("Metaspace")
                        || message.startsWith("Compressed class space"));
    }
}
