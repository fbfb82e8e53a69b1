package io.millrace.feed.tcp;

import static io.millrace.schema.ProblemCode.INVALID_DURATION;
import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.INVALID_SIZE;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.NO_EFFECT;
import static io.millrace.schema.ProblemCode.UNKNOWN_NAME;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.millrace.background.DurationText;
import io.millrace.codec.frame.Framing;
import io.millrace.feed.FairShare;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.tcp.TcpProperties.AcknowledgeProperties;
import io.millrace.feed.tcp.TcpProperties.Kind;
import io.millrace.feed.tcp.TcpProperties.LengthPrefixProperties;
import io.millrace.feed.tcp.TcpProperties.Order;
import io.millrace.schema.NearestName;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** Reads and checks the properties of a feed over TCP. */
final class TcpReader {

    private static final int HIGHEST_PORT = 65_535;

    /** Limits memory: each connection and each batch allocates space for one record of the maximum length. */
    private static final DataSize LONGEST_RECORD = DataSize.ofMegabytes(16);

    private static final DataSize LARGEST_BUFFER = DataSize.ofGigabytes(1024);

    private final TcpProperties properties;
    private final FeedCheck check;

    /** @param check receives each error */
    TcpReader(TcpProperties properties, FeedCheck check) {
        this.properties = properties;
        this.check = check;
    }

    /** Returns the definition, with substitutes for invalid values. */
    TcpDefinition read() {
        AcknowledgeProperties acknowledge = properties.acknowledge();
        if (acknowledge != null) {
            check.between("acknowledge.every", acknowledge.every(), 1, Integer.MAX_VALUE);
        }
        TcpOptions options = new TcpOptions(
                properties.host(), port(), framing(), limits(), acknowledge == null ? 0 : acknowledge.every());
        return new TcpDefinition(options, sslBundle());
    }

    private @Nullable String sslBundle() {
        String bundle = properties.sslBundle();
        if (bundle != null && !check.sslBundles().contains(bundle)) {
            check.problem(
                    UNKNOWN_NAME,
                    "ssl-bundle",
                    "Unknown SSL bundle '" + bundle + "'" + NearestName.hint(bundle, check.sslBundles())
                            + " Define it under 'spring.ssl.bundle'.");
        }
        return bundle;
    }

    private int port() {
        Integer port = properties.port();
        if (port == null) {
            check.problem(MISSING_VALUE, "port", "Missing value: the port to listen on, 0 for any that is free.");
            return 0;
        }
        check.between("port", port, 0, HIGHEST_PORT);
        return port;
    }

    private Framing framing() {
        onlyWith(Kind.LENGTH_PREFIXED, "length-prefixed", "length-prefix", properties.lengthPrefix() != null);
        onlyWith(Kind.DELIMITED, "delimited", "delimiter", properties.delimiter() != null);
        return switch (properties.framing()) {
            case FIXED -> new Framing.Fixed();
            case LENGTH_PREFIXED -> lengthPrefixed();
            case DELIMITED -> delimited();
        };
    }

    private Framing lengthPrefixed() {
        LengthPrefixProperties prefix = properties.lengthPrefix();
        if (prefix == null) {
            return new Framing.LengthPrefixed(2, ByteOrder.BIG_ENDIAN, false);
        }
        ByteOrder order = prefix.order() == Order.BIG_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        try {
            return new Framing.LengthPrefixed(prefix.width(), order, prefix.countsItself());
        } catch (IllegalArgumentException e) {
            check.problem(INVALID_NUMBER, "length-prefix.width", String.valueOf(e.getMessage()));
            return new Framing.Fixed();
        }
    }

    private Framing delimited() {
        String delimiter = properties.delimiter();
        if (delimiter == null || delimiter.isEmpty()) {
            check.problem(MISSING_VALUE, "delimiter", "Missing value: what ends each record, such as \"\\n\".");
            return new Framing.Fixed();
        }
        if (!ISO_8859_1.newEncoder().canEncode(delimiter)) {
            check.problem(
                    INVALID_VALUE,
                    "delimiter",
                    "Invalid delimiter. Use characters up to \\xFF: each stands for one byte.");
        }
        return new Framing.Delimited(delimiter.getBytes(ISO_8859_1));
    }

    private TcpLimits limits() {
        check.between("max-connections", properties.maxConnections(), 1, Integer.MAX_VALUE);
        Integer perAddress = properties.maxConnectionsPerAddress();
        if (perAddress != null) {
            check.between("max-connections-per-address", perAddress, 1, Integer.MAX_VALUE);
        }
        between("max-record-length", properties.maxRecordLength(), DataSize.ofBytes(1), LONGEST_RECORD);
        between("connection-buffer", properties.connectionBuffer(), DataSize.ofKilobytes(1), LARGEST_BUFFER);
        DataSize least = DataSize.ofKilobytes(1);
        between("buffer", properties.buffer(), least, LARGEST_BUFFER);
        if (properties.buffer().compareTo(least) >= 0
                && properties.buffer().compareTo(properties.maxRecordLength()) < 0) {
            check.problem(
                    INVALID_SIZE,
                    "buffer",
                    "Invalid size '" + properties.buffer() + "'. Use at least 'max-record-length', "
                            + properties.maxRecordLength() + ".");
        }
        if (properties.idleTimeout().toMillis() < 1) {
            check.problem(
                    INVALID_DURATION,
                    "idle-timeout",
                    "Invalid duration '" + DurationText.of(properties.idleTimeout()) + "'. Use 1ms or more.");
        }
        return new TcpLimits(
                properties.maxConnections(),
                perAddress == null ? properties.maxConnections() : perAddress,
                FairShare.parse(
                        properties.maxSharePerAddress(),
                        message -> check.problem(INVALID_NUMBER, "max-share-per-address", message)),
                (int) Math.min(properties.maxRecordLength().toBytes(), LONGEST_RECORD.toBytes()),
                properties.idleTimeout(),
                properties.connectionBuffer().toBytes(),
                properties.buffer().toBytes());
    }

    private void onlyWith(Kind kind, String name, String property, boolean present) {
        if (present && properties.framing() != kind) {
            check.problem(
                    NO_EFFECT,
                    property,
                    "'" + property + "' has no effect without 'framing: " + name + "'. Set that, or remove it.");
        }
    }

    private void between(String property, DataSize value, DataSize least, DataSize most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            check.problem(INVALID_SIZE, property, "Invalid size '" + value + "'. Use " + least + " to " + most + ".");
        }
    }
}
