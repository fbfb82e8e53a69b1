package io.millrace.pipeline.definition;

/**
 * One thing that is wrong in the configuration.
 *
 * @param property where, such as {@code millrace.pipelines.trades.steps[0].filter}
 * @param message what is wrong and what to do; may have several lines
 */
public record Problem(String property, String message) {}
