package io.millrace.web;

/**
 * An answer that went wrong when a part of it had been sent. No problem detail can be sent any more; so what went wrong
 * is not its cause, by which one would be found, but suppressed.
 */
final class BrokenAnswerException extends RuntimeException {

    private static final long serialVersionUID = 1;

    BrokenAnswerException(Throwable why) {
        super("the answer breaks off: " + why.getMessage());
        addSuppressed(why);
    }
}
