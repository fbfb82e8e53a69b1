package io.millrace.feed.tcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.millrace.codec.frame.Framing;
import io.millrace.feed.FairShare;
import io.millrace.feed.framing.FramingKind;
import io.millrace.feed.framing.LengthPrefixProperties;
import io.millrace.feed.framing.LengthPrefixProperties.Order;
import io.millrace.feed.tcp.TcpProperties.AcknowledgeProperties;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.time.Duration;
import org.springframework.util.unit.DataSize;

/**
 * The limits of a feed in tests, which may be smaller than valid ones.
 *
 * @param connections maximum number of open connections
 * @param connectionsPerAddress maximum number of open connections of one address
 * @param sharePerAddress share of the connections and of the buffer, of what others leave free, that one address may
 *     use
 * @param recordLength maximum record length in bytes, if records have variable lengths
 * @param idleTimeout time without a complete record after which a connection is closed, unless it waits for the feed
 * @param connectionBuffer bytes of unread data at which the feed stops reading a connection
 * @param buffer bytes of unread data of all connections at which the feed stops reading
 */
public record TcpLimits(
        int connections,
        int connectionsPerAddress,
        FairShare sharePerAddress,
        int recordLength,
        Duration idleTimeout,
        long connectionBuffer,
        long buffer) {

    /**
     * Returns the properties of a feed with these limits.
     *
     * @param acknowledgeEvery number of stored records between two acknowledgements, 0 for none
     */
    public TcpProperties properties(String host, int port, Framing framing, int acknowledgeEvery) {
        return new TcpProperties(
                host,
                port,
                switch (framing) {
                    case Framing.Fixed _ -> FramingKind.FIXED;
                    case Framing.LengthPrefixed _ -> FramingKind.LENGTH_PREFIXED;
                    case Framing.Delimited _ -> FramingKind.DELIMITED;
                },
                framing instanceof Framing.LengthPrefixed(int width, ByteOrder order, boolean countsItself)
                        ? new LengthPrefixProperties(width, Order.valueOf(order.toString()), countsItself)
                        : null,
                framing instanceof Framing.Delimited(byte[] delimiter) ? new String(delimiter, ISO_8859_1) : null,
                DataSize.ofBytes(recordLength),
                connections,
                connectionsPerAddress,
                BigDecimal.valueOf(sharePerAddress.share()).movePointRight(2).toPlainString() + "%",
                idleTimeout,
                DataSize.ofBytes(connectionBuffer),
                DataSize.ofBytes(buffer),
                null,
                acknowledgeEvery == 0 ? null : new AcknowledgeProperties(acknowledgeEvery));
    }
}
