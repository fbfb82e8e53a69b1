package io.millrace.feed.radius.packet;

import static io.millrace.feed.radius.packet.RadiusPacket.AUTHENTICATOR;
import static io.millrace.feed.radius.packet.RadiusPacket.AUTHENTICATOR_AT;

/** Signs accounting requests with their Request Authenticators. Not thread-safe; only the constructor allocates. */
public final class RequestSigner {

    private final PacketDigest digest = new PacketDigest();
    private final Secret secret;

    /** @param secret shared with the server */
    public RequestSigner(Secret secret) {
        this.secret = secret;
    }

    /** Writes the authenticator of the request at an offset, which is otherwise complete. */
    public void sign(byte[] request, int offset, int length) {
        byte[] authenticator = digest.requestAuthenticator(request, offset, length, secret);
        System.arraycopy(authenticator, 0, request, offset + AUTHENTICATOR_AT, AUTHENTICATOR);
    }
}
