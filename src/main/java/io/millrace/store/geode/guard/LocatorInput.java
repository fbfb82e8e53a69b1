package io.millrace.store.geode.guard;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;

/**
 * The input of a connection to a locator, which is one request. By a request of its own, a process stops its locator.
 * Not thread-safe.
 */
final class LocatorInput extends GuardedInput {

    private static final RefusalLog LOG = new RefusalLog("locator");

    private final boolean own;

    /** @param own whether this process is the client */
    LocatorInput(InputStream socket, InetSocketAddress client, boolean own) {
        super(socket, client, LOG);
        this.own = own;
    }

    @Override
    int limit() {
        return LocatorRequest.MAX_BYTES;
    }

    @Override
    boolean checkNext(CheckedInput next) throws IOException {
        if (!own) {
            LocatorRequest.check(next);
        }
        return !own;
    }

    @Override
    void passing(byte[] bytes, int offset, int length) {
        // from this process
    }
}
