package io.millrace.config.plan;

/** Thrown when a configuration in files has mistakes. The message lists all of them with their places. */
public final class ConfigurationMistakesException extends RuntimeException {

    private static final long serialVersionUID = 1;

    ConfigurationMistakesException(String report, Throwable cause) {
        super(report, cause);
    }
}
