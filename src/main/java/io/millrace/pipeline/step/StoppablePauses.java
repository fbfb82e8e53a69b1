package io.millrace.pipeline.step;

import java.util.function.BooleanSupplier;

/** Pauses that end when a stop is requested. Thread-safe. */
public interface StoppablePauses extends Pauses {

    /** Requests a stop: ends the current pause and all later ones immediately. */
    void stop();

    /** Lets the pauses of {@link #orWhile} evaluate their condition. */
    void wake();

    /**
     * Returns pauses that end, as if a stop were requested, while a condition holds too.
     *
     * @param condition evaluated at the start of a pause and after each {@link #wake}
     */
    Pauses orWhile(BooleanSupplier condition);
}
