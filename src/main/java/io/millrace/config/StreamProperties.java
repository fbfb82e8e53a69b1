package io.millrace.config;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What clients may do over HTTP.
 *
 * @param streams the most streams of events at once
 * @param patience how long a client may read nothing of a stream before it is cut off
 * @param allowedHosts names of this service that clients on this machine and pages of other origins may use
 */
public record StreamProperties(
        @DefaultValue("2000") int streams,
        @DefaultValue("60s") Duration patience,
        @DefaultValue List<String> allowedHosts) {}
