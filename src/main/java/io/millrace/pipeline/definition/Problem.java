package io.millrace.pipeline.definition;

/**
 * An error in the configuration.
 *
 * @param property path of the property, such as {@code millrace.pipelines.trades.steps[0].filter}
 * @param message what is wrong and what to do, with the code of each error; may have several lines
 * @param atKey whether the name of the property is wrong, or all that is below it, and not its value
 */
public record Problem(String property, String message, boolean atKey) {

    /** A problem with the value of a property. */
    public Problem(String property, String message) {
        this(property, message, false);
    }

    /** A problem with the name of a property, or with all that is below it. */
    public static Problem ofKey(String property, String message) {
        return new Problem(property, message, true);
    }
}
