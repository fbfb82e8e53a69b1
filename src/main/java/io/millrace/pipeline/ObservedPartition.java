package io.millrace.pipeline;

import io.millrace.codec.Counter;
import io.millrace.codec.RejectSink;
import io.millrace.pipeline.step.BatchStep;

/** A partition of a running pipeline, as the shadow of its rules sees it. Any thread may call its methods. */
public final class ObservedPartition {

    private final Partition partition;

    ObservedPartition(Partition partition) {
        this.partition = partition;
    }

    /** Returns its number. */
    public int number() {
        return partition.number();
    }

    /** Returns the number of the version of the rules by which it processes records. */
    public long version() {
        return partition.parts().rules().running().version().number();
    }

    /** Returns the time that its current steps have taken so far, without measures, in nanoseconds. */
    public long stepNanos() {
        return partition.parts().rules().running().version().steps().stream()
                .filter(step -> step.measures().isEmpty())
                .map(BatchStep::nanos)
                .mapToLong(Counter::get)
                .sum();
    }

    /** Passes each record that a step rejects to a sink too, on its lane. A later sink replaces it. */
    public void observeRejects(RejectSink sink) {
        partition.parts().rejects().observe(sink);
    }

    /** Stops passing rejected records to a sink, unless another one has replaced it. */
    public void stopObservingRejects(RejectSink sink) {
        partition.parts().rejects().stopObserving(sink);
    }
}
