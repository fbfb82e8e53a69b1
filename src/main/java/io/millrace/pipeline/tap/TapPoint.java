package io.millrace.pipeline.tap;

import io.millrace.schema.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A point of a pipeline at which a tap can sample records.
 *
 * @param name unique in its pipeline: {@code admitted}, a step such as {@code 1-filter} for its output,
 *     {@code to-REGION}, {@code to-output:NAME}, or a channel of the application
 * @param kind kind of the step; {@code admitted}, {@code region}, {@code output} or {@code channel} if it is not a step
 * @param channel channel that carries the records; null for a route, whose branches carry them
 * @param after name of the previous point, or null for the first
 * @param channels channels that a tap intercepts
 * @param batches schema of the batches at this point; a channel of the application can carry other batches too
 * @param schema schema of the records at this point, with the fields that earlier steps added
 */
public record TapPoint(
        String name,
        String kind,
        @Nullable String channel,
        @Nullable String after,
        List<String> channels,
        Schema batches,
        Schema schema) {}
