package io.millrace.pipeline.definition;

/**
 * An error in the configuration.
 *
 * @param property path of the property, such as {@code millrace.pipelines.trades.steps[0].filter}
 * @param message what is wrong and what to do; may have several lines
 */
public record Problem(String property, String message) {}
