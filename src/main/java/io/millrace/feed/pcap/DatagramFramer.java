package io.millrace.feed.pcap;

/**
 * Says which datagrams of a port are records, and where in its datagram a record ends. Called by one thread; allocates
 * nothing for a datagram that it admits.
 */
public interface DatagramFramer {

    /** The datagram is something else, such as another message of the same protocol. */
    int OTHER = 0;
    /** The datagram should be a record, but is malformed. */
    int MALFORMED = -1;
    /** The datagram is a record as far as it goes, but not all of it was captured. */
    int CUT = -2;
    /** The datagram is a record that somebody without the secret has made. */
    int FORGED = -3;

    /** The longest record that there can be, in bytes. */
    int longest();

    /**
     * Looks at a datagram. No byte behind those captured is read.
     *
     * @param bytes array that holds its payload
     * @param offset of the payload's first byte
     * @param captured bytes of the payload that are there
     * @param length of the payload on the wire, in bytes
     * @return length in bytes of the record at the payload's beginning, at most as many as were captured and
     *     {@link #longest()}; or one of the numbers above
     */
    int frame(byte[] bytes, int offset, int captured, int length);

    /** What a record is, for messages about those that are not whole: {@code accounting request}. */
    String recordName();
}
