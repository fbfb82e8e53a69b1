package io.millrace.feed.tcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.millrace.codec.frame.Framing;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of a feed of records over TCP.
 *
 * @param host name or address of the interface to listen on
 * @param port TCP port to listen on; 0 for any free port
 * @param framing way in which bytes are split into records
 * @param lengthPrefix length before each record, with framing: length-prefixed
 * @param delimiter bytes after each record, with framing: delimited; each character is one byte
 * @param maxRecordLength maximum length of a record; with framing: fixed, all records have the schema's length
 * @param maxConnections maximum number of connections
 * @param maxConnectionsPerAddress maximum number of connections of one address, or of one /64 network of IPv6; by
 *     default max-connections
 * @param maxSharePerAddress share of max-connections and of buffer, as a percentage of what the other addresses leave,
 *     that one address may use
 * @param idleTimeout time after which a connection that completes no record is closed
 * @param connectionBuffer received bytes of one connection at which reading it pauses
 * @param buffer received bytes of all connections together at which reading pauses
 * @param sslBundle name of the SSL bundle that secures connections; with a truststore, senders need a certificate; not
 *     encrypted by default
 * @param acknowledge acknowledgements with the number of stored records to senders; none without it
 */
public record TcpProperties(
        @DefaultValue("127.0.0.1") String host,
        @Nullable Integer port,
        @DefaultValue("fixed") Kind framing,
        @Nullable LengthPrefixProperties lengthPrefix,
        @Nullable String delimiter,
        @DefaultValue("64KB") DataSize maxRecordLength,
        @DefaultValue("2000") int maxConnections,
        @Nullable Integer maxConnectionsPerAddress,
        @DefaultValue("75%") String maxSharePerAddress,
        @DefaultValue("5m") Duration idleTimeout,
        @DefaultValue("256KB") DataSize connectionBuffer,
        @DefaultValue("64MB") DataSize buffer,
        @Nullable String sslBundle,
        @Nullable AcknowledgeProperties acknowledge) {

    /**
     * Returns the framing with its properties.
     *
     * @throws IllegalArgumentException if the width of the length is invalid
     */
    Framing framingRule() {
        return switch (framing) {
            case FIXED -> new Framing.Fixed();
            case LENGTH_PREFIXED ->
                Objects.requireNonNullElse(lengthPrefix, LengthPrefixProperties.DEFAULT)
                        .rule();
            case DELIMITED ->
                new Framing.Delimited(Objects.requireNonNull(delimiter).getBytes(ISO_8859_1));
        };
    }

    /** A framing: how bytes are split into records. */
    public enum Kind {
        /** Records of one length, back to back. */
        FIXED,
        /** A length before each record. */
        LENGTH_PREFIXED,
        /** A delimiter after each record. */
        DELIMITED
    }

    /** A byte order. */
    public enum Order {
        /** The most significant byte first. */
        BIG_ENDIAN,
        /** The least significant byte first. */
        LITTLE_ENDIAN
    }

    /**
     * Properties of the length before each record.
     *
     * @param width number of bytes of the length: 1, 2 or 4
     * @param order byte order of the length
     * @param countsItself whether the length includes its own bytes
     */
    public record LengthPrefixProperties(
            @DefaultValue("2") int width,
            @DefaultValue("big-endian") Order order,
            @DefaultValue("false") boolean countsItself) {

        private static final LengthPrefixProperties DEFAULT = new LengthPrefixProperties(2, Order.BIG_ENDIAN, false);

        private Framing rule() {
            ByteOrder byteOrder = order == Order.BIG_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
            return new Framing.LengthPrefixed(width, byteOrder, countsItself);
        }
    }

    /**
     * Properties of acknowledgements, which report the number of stored records to senders.
     *
     * @param every number of stored records between two acknowledgements
     */
    public record AcknowledgeProperties(
            @DefaultValue("1000") int every) {}
}
