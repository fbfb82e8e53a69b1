package io.millrace.feed.radius;

/** Accounting requests to be sent, one after the other. Called by one thread. */
@FunctionalInterface
public interface RequestSource {

    /** Octets of the longest request. */
    int LONGEST = RadiusPacket.LONGEST;

    /**
     * Writes the next request. Its identifier and Request Authenticator are set by who sends it.
     *
     * @param into has room for the {@linkplain #LONGEST longest} at its beginning
     * @return the request's length in octets
     */
    int next(byte[] into);
}
