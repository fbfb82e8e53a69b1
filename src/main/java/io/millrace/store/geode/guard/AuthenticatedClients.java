package io.millrace.store.geode.guard;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The clients that have been authenticated by this process. What others send is checked more strictly, even if it is
 * refused afterwards because they are not authenticated. Thread-safe.
 */
public final class AuthenticatedClients {

    private static final int MAX = 10_000;
    private static final ThreadLocal<ClientIdentity> CURRENT = new ThreadLocal<>();
    private static final Map<ClientIdentity, Boolean> CLIENTS = new LinkedHashMap<>(16, 0.75f, true);

    private AuthenticatedClients() {}

    /** Adds the client whose message this thread has read. */
    public static void add(boolean mayWrite) {
        ClientIdentity client = CURRENT.get();
        if (client != null) {
            CURRENT.remove();
            synchronized (CLIENTS) {
                CLIENTS.put(client, mayWrite);
                if (CLIENTS.size() > MAX) {
                    CLIENTS.remove(CLIENTS.keySet().iterator().next());
                }
            }
        }
    }

    /** Notes the client whose message this thread reads, and handles then. */
    static void reading(ClientIdentity client) {
        CURRENT.set(client);
    }

    /** Returns whether a client may write; null if it is not authenticated. */
    static @Nullable Boolean mayWrite(ClientIdentity client) {
        synchronized (CLIENTS) {
            return CLIENTS.get(client);
        }
    }
}
