package io.millrace.simulation;

import io.millrace.feed.Feed;
import io.millrace.feed.Split;
import io.millrace.pipeline.run.PipelineLimits;
import java.util.List;
import java.util.function.Supplier;

/** Where the pipeline's records come from, and what is promised about each. */
interface Source {

    /**
     * Returns the feed of a process.
     *
     * @param split the part of the source that it reads
     * @param applied gives by what it processes records
     */
    Feed feed(SimulatedProcess process, Split split, Supplier<Applied> applied);

    /** Reads fail for a while. */
    default void interrupt(long nanos) {
        // senders don't
    }

    /** A partition of a process has failed. */
    default void failed(SimulatedProcess process, int partition) {
        // senders get no answer
    }

    /** What is read changes, or is restored. */
    default void change() {
        // there is nothing to be read again
    }

    /** Reads don't fail, and what is read is what it was. */
    default void restore() {
        // never changes
    }

    /** Returns how long a process may keep records before it stores them. */
    PipelineLimits limits();

    /**
     * A version of the rules that a process has begun with.
     *
     * @param partition whose records it processes
     * @param epoch of its term
     * @param since position in the feed
     * @param number of the version in the history
     * @param rules number in its text
     * @param process the one whose term it is
     */
    record Begun(int partition, long epoch, long since, long number, int rules, Fiber.Host process) {}

    /** Notes that a version of the rules has begun in a term, as a history does. */
    void begun(Begun begun);

    /** The records arrive that were missing, while all processes work. Called repeatedly. */
    void complete(List<SimulatedProcess> processes);

    /** All changes of what is stored behind so many are lost. All processes that read the records have been killed. */
    void lost(int changes);

    /** Whether all records have been delivered, also to a process that has taken over from one that had them all. */
    boolean finished(List<SimulatedProcess> processes);

    /** Whether the measure of several partitions has made all rows that it should have, each once. */
    default boolean measured(Stored stored) {
        return true;
    }

    /** Requires that every record is where it belongs. */
    void verify(Stored stored, List<SimulatedProcess> processes);
}
