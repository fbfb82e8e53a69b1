package io.millrace.store.geode.guard;

import java.io.InputStream;
import java.net.InetSocketAddress;

/** Checks the input of the connections to a port. Thread-safe. */
public interface InputGuard {

    /** The guard of a server's port. */
    InputGuard SERVER = ClientInput::new;

    /**
     * Returns the checked input of a connection.
     *
     * @param socket its input
     * @param client its address
     */
    InputStream of(InputStream socket, InetSocketAddress client);
}
