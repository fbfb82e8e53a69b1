package io.millrace.pipeline;

/** Thrown when a pipeline rejects so many records that its configuration lets it fail. */
final class RejectThresholdException extends RuntimeException {

    private static final long serialVersionUID = 1;

    RejectThresholdException(String message) {
        super(message);
    }
}
