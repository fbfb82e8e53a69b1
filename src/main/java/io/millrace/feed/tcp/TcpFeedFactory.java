package io.millrace.feed.tcp;

import static io.millrace.schema.ProblemCode.INVALID_DURATION;
import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.INVALID_SIZE;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;

import io.millrace.background.DurationText;
import io.millrace.extension.ConnectionCheck;
import io.millrace.feed.FairShare;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedEnd;
import io.millrace.feed.FeedFactory;
import io.millrace.feed.framing.FramingKind;
import io.millrace.schema.Schema;
import java.util.Objects;
import org.springframework.util.unit.DataSize;

/** Feeds of records that senders transmit over TCP. */
public final class TcpFeedFactory implements FeedFactory<TcpProperties> {

    private static final int HIGHEST_PORT = 65_535;

    /** Limits memory: each connection and each batch allocates space for one record of the maximum length. */
    private static final DataSize LONGEST_RECORD = DataSize.ofMegabytes(16);

    private static final DataSize SMALLEST_BUFFER = DataSize.ofKilobytes(1);
    private static final DataSize LARGEST_BUFFER = DataSize.ofGigabytes(1024);

    @Override
    public String name() {
        return "tcp";
    }

    @Override
    public Class<TcpProperties> propertiesType() {
        return TcpProperties.class;
    }

    @Override
    public FeedDefinition define(TcpProperties properties, FeedCheck check) {
        if (properties.port() == null) {
            check.problem(MISSING_VALUE, "port", "Missing value: the port to listen on, 0 for any that is free.");
        } else {
            check.between("port", properties.port(), 0, HIGHEST_PORT);
        }
        properties.framingProperties().check(check);
        checkLimits(properties, check);
        if (properties.acknowledge() != null) {
            check.between("acknowledge.every", properties.acknowledge().every(), 1, Integer.MAX_VALUE);
        }
        String bundle = properties.sslBundle();
        if (bundle != null) {
            check.sslBundle("ssl-bundle", bundle);
        }
        return new Definition(properties);
    }

    /** A feed as configured. */
    record Definition(TcpProperties properties) implements FeedDefinition {

        @Override
        public FeedEnd end() {
            return FeedEnd.NEVER;
        }

        @Override
        public String describe() {
            return "TCP at " + properties.host() + ":" + properties.port();
        }

        @Override
        public void check(Schema schema, FeedCheck check) {
            properties.framingProperties().check(schema, check);
            if (properties.framing() != FramingKind.FIXED
                    && schema.baseLength() > properties.maxRecordLength().toBytes()) {
                check.problem(
                        INVALID_SIZE,
                        "max-record-length",
                        "Invalid size '" + properties.maxRecordLength() + "'. Use at least " + schema.baseLength()
                                + "B, the length of the records of schema '" + schema.name() + "'.");
            }
        }

        @Override
        public void connect(int partitions, ConnectionCheck check) {
            check.tcpPort(properties.host(), Objects.requireNonNull(properties.port()));
        }

        @Override
        public Feed create(FeedContext context) {
            String bundle = properties.sslBundle();
            return new TcpFeed(
                    properties,
                    bundle == null ? null : context.sslContexts().apply(bundle),
                    context.schema(),
                    context.batchRecords());
        }
    }

    private static void checkLimits(TcpProperties properties, FeedCheck check) {
        check.between("max-connections", properties.maxConnections(), 1, Integer.MAX_VALUE);
        if (properties.maxConnectionsPerAddress() != null) {
            check.between("max-connections-per-address", properties.maxConnectionsPerAddress(), 1, Integer.MAX_VALUE);
        }
        FairShare.parse(
                properties.maxSharePerAddress(),
                message -> check.problem(INVALID_NUMBER, "max-share-per-address", message));
        DataSize longest = properties.maxRecordLength();
        DataSize buffer = properties.buffer();
        between("max-record-length", longest, DataSize.ofBytes(1), LONGEST_RECORD, check);
        between("connection-buffer", properties.connectionBuffer(), SMALLEST_BUFFER, LARGEST_BUFFER, check);
        between("buffer", buffer, SMALLEST_BUFFER, LARGEST_BUFFER, check);
        if (buffer.compareTo(SMALLEST_BUFFER) >= 0 && buffer.compareTo(longest) < 0) {
            check.problem(
                    INVALID_SIZE,
                    "buffer",
                    "Invalid size '" + buffer + "'. Use at least 'max-record-length', " + longest + ".");
        }
        if (properties.idleTimeout().toMillis() < 1) {
            check.problem(
                    INVALID_DURATION,
                    "idle-timeout",
                    "Invalid duration '" + DurationText.of(properties.idleTimeout()) + "'. Use 1ms or more.");
        }
    }

    private static void between(String property, DataSize value, DataSize least, DataSize most, FeedCheck check) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            check.problem(INVALID_SIZE, property, "Invalid size '" + value + "'. Use " + least + " to " + most + ".");
        }
    }
}
