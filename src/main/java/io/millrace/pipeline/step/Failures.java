package io.millrace.pipeline.step;

import io.millrace.background.CauseChain;

/** Describes failures in one line. */
public final class Failures {

    /** The suffix that Spring Integration appends to its messages: the batch as text, which contains no information. */
    private static final String FAILED_MESSAGE = ", failedMessage=";

    private Failures() {}

    /**
     * Returns the messages of all exceptions in the chain, from the outermost to the root cause, without those that an
     * earlier one contains.
     */
    public static String describe(Throwable failure) {
        return CauseChain.describe(failure, message -> {
            int end = message.indexOf(FAILED_MESSAGE);
            return end < 0 ? message : message.substring(0, end);
        });
    }
}
