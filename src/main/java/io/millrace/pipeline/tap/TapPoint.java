package io.millrace.pipeline.tap;

import io.millrace.schema.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A point of a pipeline where a tap can listen.
 *
 * @param name unique in its pipeline: {@code admitted}, a step such as {@code 1-filter} for what goes on behind it,
 *     {@code to-REGION}, or a channel of the user's
 * @param kind the step's kind; {@code admitted}, {@code region} or {@code channel} where it is none
 * @param channel that carries the records; null for a route, whose branches do
 * @param after name of the point before it, null for the first
 * @param channels that a tap listens on
 * @param schema of the records as they are there: with the fields that were added before
 */
public record TapPoint(
        String name,
        String kind,
        @Nullable String channel,
        @Nullable String after,
        List<String> channels,
        Schema schema) {}
