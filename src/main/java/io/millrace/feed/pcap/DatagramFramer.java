package io.millrace.feed.pcap;

/**
 * Decides which datagrams of a port are records, and finds the end of the record in a datagram. Called by one thread;
 * allocates nothing for a datagram that it admits.
 */
public interface DatagramFramer {

    /** The datagram is not a record, such as another message of the same protocol. */
    int OTHER = 0;
    /** The datagram should be a record but is malformed. */
    int MALFORMED = -1;
    /** The captured part of the datagram is a valid beginning of a record; the rest was not captured. */
    int CUT = -2;
    /** The datagram is a record that was not signed with the secret. */
    int FORGED = -3;

    /** Returns the length of the longest possible record in bytes. */
    int longest();

    /**
     * Checks a datagram. Reads captured bytes only.
     *
     * @param bytes array that contains the payload
     * @param offset of the payload's first byte
     * @param captured number of captured bytes of the payload
     * @param length of the payload on the wire, in bytes
     * @return length in bytes of the record at the start of the payload, at most {@code captured} and
     *     {@link #longest()}; or one of the constants above
     */
    int frame(byte[] bytes, int offset, int captured, int length);

    /** Returns the name of a record for messages about incomplete ones: {@code accounting request}. */
    String recordName();
}
