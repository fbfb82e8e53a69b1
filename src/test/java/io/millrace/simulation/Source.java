package io.millrace.simulation;

import io.millrace.feed.Feed;
import io.millrace.pipeline.PipelineLimits;
import io.millrace.store.write.WriterName;
import java.util.List;

/** Where the pipeline's records come from, and what is promised about each. */
interface Source {

    /** Names the writer of the next process. */
    WriterName writer();

    /** Returns the feed of a process that works by a version of the rules. */
    Feed feed(Fiber.Host process, int version);

    /** Returns how long a process may keep records before it stores them. */
    PipelineLimits limits();

    /** Notes that a process has begun a term. */
    void begun(SimulatedProcess.Begun begun);

    /** Returns the version by which the next process has to work because of what is stored; -1 for any. */
    int requiredVersion(String error);

    /** Whether all records have been delivered. */
    boolean finished(List<SimulatedProcess> processes);

    /** Requires that every record is where it belongs. */
    void verify(Stored stored, List<SimulatedProcess> processes);
}
