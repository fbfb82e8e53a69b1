package io.millrace.config;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the live page shows and may do.
 *
 * @param play whether how fast feeds bring their records may be changed over HTTP
 * @param map places of a measure on a map; none without it
 */
public record PageProperties(
        @DefaultValue("true") boolean play, @Nullable MapProperties map) {}
