package io.millrace.background;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The causes of a failure. Chains can be circular: Geode creates such chains when its disk store fails. */
public final class CauseChain {

    private CauseChain() {}

    /** Returns a failure and its causes, each once, the failure first. */
    public static List<Throwable> of(Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
            chain.add(cause);
        }
        return chain;
    }

    /**
     * Returns the messages of a failure and its causes in one line, the failure first, without those that an earlier
     * one contains. A cause without a message is shown by its class.
     *
     * @param clean returns the part of a message that is information
     */
    public static String describe(Throwable failure, UnaryOperator<String> clean) {
        List<String> messages = new ArrayList<>();
        for (Throwable cause : of(failure)) {
            String message = cause.getMessage();
            String text = message == null ? cause.getClass().getSimpleName() : clean.apply(message);
            if (messages.stream().noneMatch(outer -> outer.contains(text))) {
                messages.add(text);
            }
        }
        return String.join(": ", messages);
    }

    /** Makes a failure the root cause of another one, unless their chain would be circular. */
    public static void setRoot(Throwable failure, Throwable cause) {
        List<Throwable> chain = of(failure);
        if (Collections.disjoint(chain, of(cause))) {
            chain.getLast().initCause(cause);
        }
    }

    /** Returns whether a failure or one of its causes is of a type. */
    public static boolean has(Throwable failure, Class<? extends Throwable> type) {
        return of(failure).stream().anyMatch(type::isInstance);
    }
}
