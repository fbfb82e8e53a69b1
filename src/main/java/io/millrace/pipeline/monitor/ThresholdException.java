package io.millrace.pipeline.monitor;

/** Thrown when the share of rejected or late records reaches the limit at which a pipeline is configured to fail. */
final class ThresholdException extends RuntimeException {

    private static final long serialVersionUID = 1;

    ThresholdException(String message) {
        super(message);
    }
}
