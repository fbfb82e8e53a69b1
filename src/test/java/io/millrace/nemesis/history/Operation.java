package io.millrace.nemesis.history;

/**
 * An operation of a client on a register, or the addition of an element to a set.
 *
 * @param client number of the client
 * @param kind what was done
 * @param key the register, or the element
 * @param value what was written or read; {@link #ABSENT} if a read found none
 * @param invoked when it was called, in nanoseconds of {@link System#nanoTime}
 * @param returned when it returned; {@link Long#MAX_VALUE} if it may still take effect
 * @param outcome what is known about its effect
 */
public record Operation(int client, Kind kind, long key, long value, long invoked, long returned, Outcome outcome) {

    /** The value of a register that was never written. */
    public static final long ABSENT = Long.MIN_VALUE;

    /** What was done. */
    public enum Kind {
        WRITE,
        READ
    }

    /** What is known about the effect of an operation. */
    public enum Outcome {
        /** It took effect between its call and its return. */
        OK,
        /** It has no effect. */
        FAIL,
        /** It may take effect at any time after its call, or never. */
        UNKNOWN
    }
}
