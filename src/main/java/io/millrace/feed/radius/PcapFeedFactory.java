package io.millrace.feed.radius;

import static io.millrace.schema.ProblemCode.INVALID_ADDRESS;
import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.NO_EFFECT;

import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedFactory;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Feeds of RADIUS accounting requests of a capture file. */
public final class PcapFeedFactory implements FeedFactory<PcapProperties> {

    private static final int MAX_PORT = 65_535;

    @Override
    public String name() {
        return "pcap";
    }

    @Override
    public Class<PcapProperties> propertiesType() {
        return PcapProperties.class;
    }

    @Override
    public @Nullable FeedDefinition define(PcapProperties properties, FeedCheck check) {
        if (properties.port() < 1 || properties.port() > MAX_PORT) {
            check.problem(
                    INVALID_ADDRESS, "port", "Invalid port '" + properties.port() + "'. Use 1 to " + MAX_PORT + ".");
        }
        Double speed = properties.speed();
        if (speed != null && !properties.pace()) {
            check.problem(
                    NO_EFFECT,
                    "speed",
                    "'speed' has no effect without 'pace: true'. Add 'pace: true', or remove 'speed'.");
        }
        if (speed != null && !(speed > 0 && Double.isFinite(speed))) {
            check.problem(INVALID_NUMBER, "speed", "Invalid speed '" + speed + "'. Use a number above 0.");
        }
        String secret = properties.secret();
        if (secret != null && secret.isEmpty()) {
            check.problem(MISSING_VALUE, "secret", "Empty secret. Remove 'secret' to accept requests without a check.");
        }
        Path path = properties.path();
        if (path == null) {
            check.problem(MISSING_VALUE, "path", "Missing value: the path of the capture file.");
            return null;
        }
        check.readable("path", path);
        return properties;
    }
}
