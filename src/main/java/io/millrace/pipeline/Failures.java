package io.millrace.pipeline;

import io.millrace.background.CauseChain;
import java.util.LinkedHashSet;
import java.util.Set;

/** Puts a failure into one line for a person. */
final class Failures {

    /** What Spring Integration writes behind its messages: the batch as text, which says nothing. */
    private static final String FAILED_MESSAGE = ", failedMessage=";

    private Failures() {}

    /** What each exception in the chain says, from the outermost to the cause, each thing once. */
    static String describe(Throwable failure) {
        Set<String> says = new LinkedHashSet<>();
        for (Throwable one : CauseChain.of(failure)) {
            String message = one.getMessage() == null ? one.getClass().getSimpleName() : one.getMessage();
            int end = message.indexOf(FAILED_MESSAGE);
            says.add(end < 0 ? message : message.substring(0, end));
        }
        return String.join(": ", says);
    }
}
