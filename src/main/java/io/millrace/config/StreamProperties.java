package io.millrace.config;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What clients may do over HTTP.
 *
 * @param enabled whether there is an HTTP API; in applications with Spring WebFlux only
 * @param maxStreams the most streams of events at once
 * @param slowClientTimeout how long a client may read nothing of a response before it is disconnected
 * @param requestTimeout how long a client may take to send the headers of a request, and as long for its body
 * @param allowedHosts names of this service that clients on this machine and pages of other origins may use
 */
public record StreamProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("2000") int maxStreams,
        @DefaultValue("60s") Duration slowClientTimeout,
        @DefaultValue("30s") Duration requestTimeout,
        @DefaultValue List<String> allowedHosts) {}
