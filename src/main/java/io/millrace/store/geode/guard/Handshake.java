package io.millrace.store.geode.guard;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.geode.internal.serialization.DataSerializableFixedID;

/**
 * Checks what a client sends to connect to a server.
 *
 * <pre>
 * mode (1) | version (1 or 3) | 59 (1) | timeout (4) | identity | options (1) | 0 or 1 (1)
 * </pre>
 *
 * <p>Clients of Millrace send operations only. Subscriptions, gateways and encrypted credentials are refused.
 */
final class Handshake {

    static final int MODE = 100;
    static final int MAX_BYTES = 4 << 10;

    private static final int OK = 59;
    private static final int CREDENTIALS_FOLLOW = 1;

    private Handshake() {}

    /** Checks the rest of a handshake, after the mode, and returns the identity of the client. */
    static byte[] check(CheckedInput in) throws IOException {
        SerializedForm form = new SerializedForm(in, SerializedForm.MEMBERS);
        form.version();
        in.require("Code", in.readByte(), OK);
        in.readInt();
        in.require("Type", form.type(), DataSerializableFixedID.CLIENT_PROXY_MEMBERSHIPID);
        byte[] identity = in.readBytes(form.length());
        CheckedInput member = new CheckedInput(new ByteArrayInputStream(identity), identity.length);
        new SerializedForm(member, SerializedForm.MEMBERS).object();
        member.requireEnd();
        in.readInt(); // number of the connection
        in.readByte(); // options
        if ((in.readByte() & ~CREDENTIALS_FOLLOW) != 0) {
            throw new RefusedInputException("Encrypted credentials");
        }
        return identity;
    }
}
