package io.millrace.pipeline.shadow;

import io.millrace.schema.Schema;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.springframework.messaging.MessageChannel;

/**
 * What a shadow needs of the process that runs its pipeline.
 *
 * @param channels returns the message channel of a name
 * @param regions returns the schema of the records that a region stores
 * @param nanoTime returns the time, as {@link System#nanoTime} does
 */
public record Surroundings(
        Function<String, MessageChannel> channels, Function<String, Schema> regions, LongSupplier nanoTime) {}
