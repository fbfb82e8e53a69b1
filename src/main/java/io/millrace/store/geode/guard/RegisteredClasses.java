package io.millrace.store.geode.guard;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The names of serializers that clients have registered. A server keeps each of them, registers it once, and does so
 * before a client is authenticated; so their number is limited. Each client registers the same ones again whenever it
 * connects. Thread-safe.
 */
final class RegisteredClasses {

    /** Maximum length of a message that registers classes. */
    static final int MAX_BYTES = 4 << 10;

    private static final int MAX = 1_000;

    /** Those of this process. */
    static final RegisteredClasses HERE = new RegisteredClasses();

    private final Set<String> known = ConcurrentHashMap.newKeySet();

    /**
     * Adds what a message registers.
     *
     * @throws RefusedInputException if it is new and there are too many
     */
    void add(byte[] names) throws RefusedInputException {
        String text = new String(names, StandardCharsets.ISO_8859_1);
        if (!known.contains(text) && known.size() >= MAX) {
            throw new RefusedInputException("Registration of more than " + MAX + " classes");
        }
        known.add(text);
    }
}
