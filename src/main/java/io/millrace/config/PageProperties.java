package io.millrace.config;

import org.jspecify.annotations.Nullable;

/**
 * What the page shows.
 *
 * @param map places of a measure on a map; none without it
 */
public record PageProperties(@Nullable MapProperties map) {}
