package io.millrace.config.properties;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the live page.
 *
 * @param enabled whether there is a live page; it needs Spring WebFlux
 * @param replay whether users may change the rate of feeds and pause them over HTTP
 * @param map map that shows the groups of a measure; without it, the page has no map
 */
public record PageProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("true") boolean replay,
        @Nullable MapProperties map) {}
