package io.millrace.store.geode.guard;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The input of a client's connection to a server: a mode, which Geode reads alone, the rest of a handshake, and
 * messages. Not thread-safe.
 */
final class ClientInput extends GuardedInput {

    private static final RefusalLog LOG = new RefusalLog("server");

    private final InetSocketAddress address;
    private boolean modeChecked;
    private @Nullable ClientMessages messages;

    private boolean handshakeChecked;

    ClientInput(InputStream socket, InetSocketAddress address) {
        super(socket, address, LOG);
        this.address = address;
    }

    @Override
    int limit() {
        return modeChecked ? Handshake.MAX_BYTES : 1;
    }

    @Override
    boolean checkNext(CheckedInput next) throws IOException {
        if (!modeChecked) {
            modeChecked = true;
            next.require("Mode", next.readByte(), Handshake.MODE);
            return true;
        }
        if (!handshakeChecked) {
            handshakeChecked = true;
            messages = new ClientMessages(new ClientIdentity(address.getAddress(), Handshake.check(next)));
            return true;
        }
        return false;
    }

    @Override
    void passing(byte[] bytes, int offset, int length) throws IOException {
        if (messages != null) {
            messages.check(bytes, offset, length);
        }
    }
}
