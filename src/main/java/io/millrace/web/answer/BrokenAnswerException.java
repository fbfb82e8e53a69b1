package io.millrace.web.answer;

/**
 * Thrown when an answer fails after a part of it was sent. A problem detail can no longer be sent. The error is
 * suppressed rather than the cause, because the handlers of problem details search the causes.
 */
final class BrokenAnswerException extends RuntimeException {

    private static final long serialVersionUID = 1;

    BrokenAnswerException(Throwable error) {
        super("the answer breaks off: " + error.getMessage());
        addSuppressed(error);
    }
}
