package io.millrace.feed.radius;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.DUPLICATE_NAME;
import static io.millrace.schema.ProblemCode.INVALID_ADDRESS;
import static io.millrace.schema.ProblemCode.INVALID_DURATION;
import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.UNREADABLE_FILE;

import io.millrace.background.DurationText;
import io.millrace.codec.file.FileErrors;
import io.millrace.extension.ConnectionCheck;
import io.millrace.feed.FairShare;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedEnd;
import io.millrace.feed.FeedFactory;
import io.millrace.feed.radius.RadiusProperties.ClientProperties;
import io.millrace.feed.radius.packet.Secret;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** Feeds of RADIUS accounting requests over UDP. Error messages contain no secrets. */
public final class RadiusFeedFactory implements FeedFactory<RadiusProperties> {

    private static final int MAX_PORT = 65535;
    private static final int MAX_REQUESTS = 1 << 24;
    private static final int MIN_BYTES = 4096;
    private static final int MAX_BYTES = 1 << 30;

    @Override
    public String name() {
        return "radius";
    }

    @Override
    public Class<RadiusProperties> propertiesType() {
        return RadiusProperties.class;
    }

    @Override
    public FeedDefinition define(RadiusProperties properties, FeedCheck check) {
        if (properties.address().isBlank()) {
            check.problem(
                    MISSING_VALUE,
                    "address",
                    "Empty address. Use 127.0.0.1 for this machine alone, or 0.0.0.0 for all its addresses.");
        }
        int port = number("port", properties.port(), 0, MAX_PORT, check);
        int maxPending =
                powerOfTwo(number("max-pending-requests", properties.maxPendingRequests(), 1, MAX_REQUESTS, check));
        int cacheSize =
                powerOfTwo(number("duplicate-cache-size", properties.duplicateCacheSize(), 1, MAX_REQUESTS, check));
        if (cacheSize < maxPending) {
            check.problem(
                    INVALID_NUMBER,
                    "duplicate-cache-size",
                    "Invalid number '" + properties.duplicateCacheSize() + "'. Use at least 'max-pending-requests', "
                            + properties.maxPendingRequests() + ": else a pending request could be accepted twice.");
        }
        if (properties.duplicateWindow().isNegative()) {
            check.problem(
                    INVALID_DURATION,
                    "duplicate-window",
                    "Invalid duration '" + DurationText.of(properties.duplicateWindow()) + "'. Use 0 or more.");
        }
        if (!properties.maxResponseDelay().isPositive()) {
            check.problem(
                    INVALID_DURATION,
                    "max-response-delay",
                    "Invalid duration '" + DurationText.of(properties.maxResponseDelay())
                            + "'. Use a duration above 0.");
        }
        return new Definition(new RadiusSettings(
                properties.address(),
                port,
                clients(properties.clients(), check),
                properties.duplicateWindow(),
                Math.max(cacheSize, maxPending),
                maxPending,
                bytes("max-pending-bytes", properties.maxPendingBytes(), check),
                FairShare.parse(
                        properties.maxSharePerClient(),
                        message -> check.problem(INVALID_NUMBER, "max-share-per-client", message)),
                properties.maxResponseDelay(),
                bytes("receive-buffer", properties.receiveBuffer(), check)));
    }

    /** A feed as configured. */
    record Definition(RadiusSettings settings) implements FeedDefinition {

        @Override
        public FeedEnd end() {
            return FeedEnd.NEVER;
        }

        @Override
        public String describe() {
            return "RADIUS at " + settings.address() + ":" + settings.port();
        }

        @Override
        public void check(Schema schema, FeedCheck check) {
            requirePackets("radius", schema, check);
        }

        @Override
        public void connect(int partitions, ConnectionCheck check) {
            check.udpPort(settings.address(), settings.port());
        }

        @Override
        public Feed create(FeedContext context) {
            return new RadiusFeed(settings, context.batchRecords());
        }
    }

    /** Requires a schema of packets, whose length varies. */
    static void requirePackets(String kind, Schema schema, FeedCheck check) {
        if (!schema.layout().variesInLength() || schema.layout().nests()) {
            check.schemaProblem("Schema '" + schema.name() + "' does not describe packets, but the feed '" + kind
                    + "' delivers packets. Use a schema of the tagged layout.");
        }
    }

    private static List<RadiusClient> clients(List<ClientProperties> configured, FeedCheck check) {
        List<RadiusClient> clients = new ArrayList<>();
        Set<AddressRange> ranges = new HashSet<>();
        for (int i = 0; i < configured.size(); i++) {
            String at = "clients[" + i + "]";
            ClientProperties client = configured.get(i);
            AddressRange range = range(at + ".address", client.address(), check);
            Secret secret = secret(at, client, check);
            if (range != null && !ranges.add(range)) {
                check.problem(
                        DUPLICATE_NAME,
                        at + ".address",
                        "Duplicate address '" + client.address() + "'. Configure each address for one client.");
            }
            if (range != null && secret != null) {
                clients.add(new RadiusClient(
                        range, secret, client.acceptZeroAuthenticator(), client.requireMessageAuthenticator()));
            }
        }
        if (configured.isEmpty()) {
            check.problem(
                    MISSING_VALUE, "clients", "Missing clients. Configure at least one, with 'address' and 'secret'.");
        }
        return clients;
    }

    private static @Nullable AddressRange range(String at, @Nullable String address, FeedCheck check) {
        if (address == null) {
            check.problem(MISSING_VALUE, at, "Missing value: an address or a range, such as 10.1.2.3 or 10.0.0.0/8.");
            return null;
        }
        try {
            return AddressRange.parse(address);
        } catch (IllegalArgumentException e) {
            check.problem(INVALID_ADDRESS, at, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static @Nullable Secret secret(String at, ClientProperties client, FeedCheck check) {
        Path file = client.secretFile();
        if (client.secret() != null && file != null) {
            check.problem(CONFLICTING_PROPERTIES, at, "Too many properties. Use either 'secret' or 'secret-file'.");
            return null;
        }
        if (file == null) {
            return notEmpty(
                    at + ".secret",
                    client.secret(),
                    "Missing value: the secret, or 'secret-file' with the path of a file.",
                    check);
        }
        try {
            return notEmpty(
                    at + ".secret-file",
                    Files.readString(file).stripTrailing(),
                    "Empty file: '" + file + "'. Write the secret into it.",
                    check);
        } catch (IOException e) {
            check.problem(UNREADABLE_FILE, at + ".secret-file", FileErrors.describe(file.toString(), e));
            return null;
        }
    }

    private static @Nullable Secret notEmpty(String at, @Nullable String secret, String otherwise, FeedCheck check) {
        if (secret == null || secret.isEmpty()) {
            check.problem(MISSING_VALUE, at, otherwise);
            return null;
        }
        return Secret.of(secret);
    }

    private static int bytes(String at, DataSize size, FeedCheck check) {
        // Compared as long: a size may be larger than any int.
        return number(at, size.toBytes(), MIN_BYTES, MAX_BYTES, check);
    }

    private static int number(String at, long value, int least, int most, FeedCheck check) {
        check.between(at, value, least, most);
        return Math.clamp(value, least, most);
    }

    private static int powerOfTwo(int atLeast) {
        return atLeast == 1 ? 1 : Integer.highestOneBit(atLeast - 1) << 1;
    }
}
