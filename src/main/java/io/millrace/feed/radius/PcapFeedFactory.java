package io.millrace.feed.radius;

import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedFactory;
import io.millrace.feed.pcap.PortFilter;
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
            check.problem("port", "Invalid port '" + properties.port() + "'. Use 1 to " + MAX_PORT + ".");
        }
        Double speed = properties.speed();
        if (speed != null && !properties.pace()) {
            check.problem("speed", "'speed' has no effect without 'pace: true'. Add 'pace: true', or remove 'speed'.");
        }
        if (speed != null && !(speed > 0 && Double.isFinite(speed))) {
            check.problem("speed", "Invalid speed '" + speed + "'. Use a number above 0.");
        }
        String secret = properties.secret();
        if (secret != null && secret.isEmpty()) {
            check.problem("secret", "Empty secret. Remove 'secret' to accept requests without a check.");
        }
        Path path = properties.path();
        if (path == null) {
            check.problem("path", "Missing value: the path of the capture file.");
            return null;
        }
        check.readable("path", path);
        return new PcapDefinition(
                path,
                new PortFilter(properties.port(), properties.side()),
                secret == null ? null : Secret.of(secret),
                !properties.pace() ? 0 : speed == null ? 1 : speed);
    }
}
