package io.millrace.pipeline.step;

import io.millrace.background.CauseChain;
import java.util.ArrayList;
import java.util.List;

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
        List<String> messages = new ArrayList<>();
        for (Throwable cause : CauseChain.of(failure)) {
            String message = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
            int end = message.indexOf(FAILED_MESSAGE);
            String text = end < 0 ? message : message.substring(0, end);
            if (messages.stream().noneMatch(outer -> outer.contains(text))) {
                messages.add(text);
            }
        }
        return String.join(": ", messages);
    }
}
