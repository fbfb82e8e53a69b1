package io.millrace.feed.radius.load;

import io.millrace.feed.radius.packet.RadiusPacket;

/** Supplies accounting requests to send. Called by one thread. */
@FunctionalInterface
public interface RequestSource {

    /** Length of the longest request in octets. */
    int LONGEST = RadiusPacket.LONGEST;

    /**
     * Writes the next request. The sender sets its identifier and Request Authenticator.
     *
     * @param into array with space for the {@linkplain #LONGEST longest} request from index 0 on
     * @return length of the request in octets
     */
    int next(byte[] into);
}
