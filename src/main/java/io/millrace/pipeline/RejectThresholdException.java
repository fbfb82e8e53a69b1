package io.millrace.pipeline;

/** Thrown when the share of rejected records reaches the limit at which a pipeline is configured to fail. */
final class RejectThresholdException extends RuntimeException {

    private static final long serialVersionUID = 1;

    RejectThresholdException(String message) {
        super(message);
    }
}
