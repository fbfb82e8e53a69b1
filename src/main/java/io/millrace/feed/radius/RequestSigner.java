package io.millrace.feed.radius;

import static io.millrace.feed.radius.RadiusPacket.AUTHENTICATOR;
import static io.millrace.feed.radius.RadiusPacket.AUTHENTICATOR_AT;

/** Gives accounting requests their Request Authenticators. One thread's own; allocates nothing once made. */
public final class RequestSigner {

    private final PacketDigest digest = new PacketDigest();
    private final Secret secret;

    /** @param secret shared with the server */
    public RequestSigner(Secret secret) {
        this.secret = secret;
    }

    /** Writes the authenticator of the request that lies there with all else that belongs to it. */
    public void sign(byte[] request, int at, int length) {
        byte[] authenticator = digest.requestAuthenticator(request, at, length, secret);
        System.arraycopy(authenticator, 0, request, at + AUTHENTICATOR_AT, AUTHENTICATOR);
    }
}
