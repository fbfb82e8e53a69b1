package io.millrace.simulation;

import io.millrace.feed.Feed;
import io.millrace.pipeline.PipelineLimits;
import io.millrace.store.write.WriterName;
import java.util.List;
import java.util.function.IntSupplier;

/** Where the pipeline's records come from, and what is promised about each. */
interface Source {

    /** Names the writer of the next process. */
    WriterName writer();

    /**
     * Returns the feed of a process.
     *
     * @param version gives the version of the rules by which it works
     */
    Feed feed(Fiber.Host process, IntSupplier version);

    /** Returns how long a process may keep records before it stores them. */
    PipelineLimits limits();

    /** Notes that a version of the rules has begun in a term, as a history does. */
    void begun(SimulatedProcess.Begun begun);

    /** Returns the version by which the next process has to work because of what is stored; -1 for any. */
    int requiredVersion(String error);

    /** Whether all records have been delivered. */
    boolean finished(List<SimulatedProcess> processes);

    /** Requires that every record is where it belongs. */
    void verify(Stored stored, List<SimulatedProcess> processes);
}
