package io.millrace.config;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What streams of events over HTTP may take.
 *
 * @param streams the most at once
 * @param patience how long a client may read nothing before it is cut off
 */
public record StreamProperties(
        @DefaultValue("2000") int streams,
        @DefaultValue("60s") Duration patience) {}
