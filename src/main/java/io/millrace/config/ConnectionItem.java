package io.millrace.config;

import io.millrace.extension.ConnectionCheck;
import java.io.IOException;

/**
 * Something outside of the process that a configuration names.
 *
 * @param name what uses it, such as {@code feed of trades}
 * @param place what is reached, such as {@code file trades.bin}
 * @param attempt reaches it
 */
public record ConnectionItem(String name, String place, Attempt attempt) {

    /** Reaches what a configuration names, without reading records or changing anything. */
    public interface Attempt {
        /**
         * Reports what was found.
         *
         * @throws IOException if it can't be reached
         */
        void connect(ConnectionCheck check) throws IOException;
    }
}
