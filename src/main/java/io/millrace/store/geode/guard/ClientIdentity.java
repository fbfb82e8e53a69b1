package io.millrace.store.geode.guard;

import java.net.InetAddress;
import java.util.HexFormat;

/**
 * The identity that a client states in each of its handshakes. Geode authenticates a client once, over one of its
 * connections.
 */
record ClientIdentity(InetAddress address, String member) {

    ClientIdentity(InetAddress address, byte[] member) {
        this(address, HexFormat.of().formatHex(member));
    }
}
