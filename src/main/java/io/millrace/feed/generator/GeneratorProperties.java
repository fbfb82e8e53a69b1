package io.millrace.feed.generator;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of a generator of records.
 *
 * @param rate records per second; 0 for as many as the pipeline processes
 * @param count total number of records; 0 for no end
 * @param seed seed of the random values; equal seeds generate equal records
 */
public record GeneratorProperties(
        @DefaultValue("0") long rate,
        @DefaultValue("0") long count,
        @DefaultValue("1") long seed) {}
