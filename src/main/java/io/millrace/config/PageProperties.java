package io.millrace.config;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The live page.
 *
 * @param enabled whether there is a page; in applications with Spring WebFlux only
 * @param replay whether the speed of a replay may be changed over HTTP
 * @param map places of a measure on a map; none without it
 */
public record PageProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("true") boolean replay,
        @Nullable MapProperties map) {}
