package io.millrace.store.geode.guard;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.function.BooleanSupplier;

/**
 * The input of a connection to a locator, which is one request. By a request of its own, a process stops its locator.
 * Not thread-safe.
 */
final class LocatorInput extends GuardedInput {

    private static final RefusalLog LOG = new RefusalLog("locator");

    private final BooleanSupplier own;

    /** @param own returns whether this process is the client, once it has sent something */
    LocatorInput(InputStream socket, InetSocketAddress client, BooleanSupplier own) {
        super(socket, client, LOG);
        this.own = own;
    }

    @Override
    int limit() {
        return LocatorRequest.MAX_BYTES;
    }

    @Override
    boolean checkNext(CheckedInput next) throws IOException {
        LocatorRequest.checkProtocol(next);
        if (own.getAsBoolean()) {
            return false;
        }
        LocatorRequest.check(next);
        return true;
    }

    @Override
    void passing(byte[] bytes, int offset, int length) {
        // from this process
    }
}
