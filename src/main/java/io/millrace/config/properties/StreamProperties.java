package io.millrace.config.properties;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the HTTP API.
 *
 * @param enabled whether there is an HTTP API; it needs Spring WebFlux or Spring MVC
 * @param basePath path of the HTTP API. The page needs the default
 * @param maxConnections maximum number of open HTTP connections of the executable
 * @param maxStreams maximum number of open event streams
 * @param slowClientTimeout time after which a client that reads nothing of a response is disconnected
 * @param requestTimeout maximum time that a client may take to send the headers of a request, and the same for its body
 * @param allowedHosts additional host names of the service that requests from this machine and from pages of other
 *     origins may use
 */
public record StreamProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue(StreamProperties.BASE_PATH) String basePath,
        @DefaultValue("4000") int maxConnections,
        @DefaultValue("2000") int maxStreams,
        @DefaultValue("60s") Duration slowClientTimeout,
        @DefaultValue("30s") Duration requestTimeout,
        @DefaultValue List<String> allowedHosts) {

    /** Default of the path of the HTTP API. */
    public static final String BASE_PATH = "/api";
}
