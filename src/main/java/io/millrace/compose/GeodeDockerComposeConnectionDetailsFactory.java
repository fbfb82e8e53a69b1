package io.millrace.compose;

import io.millrace.config.GeodeConnectionDetails;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/**
 * Connects an application to the members of a cluster among the services of a compose file: those with the image
 * {@code millrace}, or with the label {@code org.springframework.boot.service-connection: millrace}. A service that
 * publishes port 10334 is a locator, one that publishes 40404 is a server. Each must have its service's name as
 * {@code millrace.geode.public-address}. Other services, such as an ingest node, are ignored.
 */
final class GeodeDockerComposeConnectionDetailsFactory
        extends DockerComposeConnectionDetailsFactory<GeodeConnectionDetails> {

    private static final String SERVICE_NAME = "com.docker.compose.service";
    private static final int LOCATOR_PORT = 10334;
    private static final int SERVER_PORT = 40404;

    GeodeDockerComposeConnectionDetailsFactory() {
        super("millrace");
    }

    @Override
    protected @Nullable GeodeConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
        GeodeComposeConnectionDetails details = new GeodeComposeConnectionDetails(source.getRunningService());
        return details.reachedAt().isEmpty() ? null : details;
    }

    private static final class GeodeComposeConnectionDetails extends DockerComposeConnectionDetails
            implements GeodeConnectionDetails {

        private final List<String> locators = new ArrayList<>();
        private final Map<String, String> reachedAt = new LinkedHashMap<>();

        GeodeComposeConnectionDetails(RunningService service) {
            super(service);
            String locator = reached(service, LOCATOR_PORT);
            if (locator != null) {
                locators.add(locator);
            }
            reached(service, SERVER_PORT);
        }

        /** Adds the address at which a published port is reached, and returns it; null if the port is not published. */
        private @Nullable String reached(RunningService service, int port) {
            Integer published = published(service.ports(), port);
            if (published == null) {
                return null;
            }
            String address = service.host() + ":" + published;
            reachedAt.put(service.labels().get(SERVICE_NAME) + ":" + port, address);
            return address;
        }

        private static @Nullable Integer published(ConnectionPorts ports, int port) {
            try {
                return ports.get(port);
            } catch (IllegalStateException e) {
                // Spring Boot throws this for a port that is not published.
                return null;
            }
        }

        @Override
        public List<String> locators() {
            return locators;
        }

        @Override
        public Map<String, String> reachedAt() {
            return reachedAt;
        }
    }
}
